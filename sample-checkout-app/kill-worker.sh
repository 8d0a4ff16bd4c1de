#!/usr/bin/env bash
# Kills a node of the shop in the second step of a checkout (kill -9) and lets another node finish it. The same by hand, in
# two terminals: docs/getting-started.md.
#
#   kill-worker.sh [option of both nodes]...        such as --spring.profiles.active=postgres
#
# Ports come from PORT_A, PORT_B and PORT_SIMULATORS. Each wait ends after PATIENCE seconds. The nodes run from the jar, or
# from the class path that CLASS_PATH gives.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

a=${PORT_A:-8081}
b=${PORT_B:-8080}
simulators=${PORT_SIMULATORS:-8090}
patience=${PATIENCE:-300}
order=checkout_$(openssl rand -hex 4)
if [[ -n "${CLASS_PATH:-}" ]]; then
  program=(-cp "$CLASS_PATH" io.idempotency.sample.CheckoutApplication)
else
  jar=$(compgen -G 'target/sample-checkout-app-*.jar') || {
    echo "Build it first: mvn -q -pl sample-checkout-app -am package -DskipTests" >&2
    exit 1
  }
  program=(-jar "$jar")
fi
mkdir -p target

for port in "$a" "$b" "$simulators"; do
  if (exec 3<>"/dev/tcp/localhost/$port") 2>/dev/null; then
    echo "Port $port is in use. Stop what runs there, or choose others by PORT_A, PORT_B and PORT_SIMULATORS." >&2
    exit 1
  fi
done

start() {
  java -XX:TieredStopAtLevel=1 "${program[@]}" --server.port="$1" --idempotency.lease=10s "${@:2}" >"target/node-$1.log" 2>&1 &
}

# Asks until a command succeeds: await <port of the node that is waited for> <what is wrong otherwise> <command>...
await() {
  local deadline=$((SECONDS + patience))
  until "${@:3}"; do
    ((SECONDS < deadline)) || {
      echo "After $patience seconds $2: $PWD/target/node-$1.log" >&2
      exit 1
    }
    sleep 0.2
  done
}

answers_or_ended() { curl -s -o /dev/null "localhost:$1/api/ledger" || ! kill -0 "$2" 2>/dev/null; }

await_start() {
  await "$1" "the node on port $1 has not started" answers_or_ended "$1" "$2"
  kill -0 "$2" 2>/dev/null || {
    echo "The node does not start: $PWD/target/node-$1.log" >&2
    exit 1
  }
}

checkout() {
  curl -s "localhost:$1/api/checkouts" -H 'Content-Type: application/json' -H "Idempotency-Key: press-$order" \
    -d '{"orderId": "'"$order"'", "email": "ada@example.com", "plan": "annual", "amountCents": 120000}' "${@:2}"
}

count() { curl -s "localhost:$b/api/ledger?orderId=$order" | grep -o "\"$1\":[0-9]*" | cut -d: -f2; }

is_in_second_step() { [[ $(count accounts) == 1 ]]; }

is_finished() {
  local status
  status=$(checkout "$b" -o target/answer.json -w '%{http_code}') || true
  echo "  $status"
  [[ $status == 201 ]] || { sleep 2 && false; }
}

counts() { echo "$(count charges) charge, $(count accounts) account, $(count emails) mail"; }

trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT

echo "Node B starts on port $b, with the gateway, the invoicing and the mail service beside it on port $simulators."
# Without webhooks, since that of the charge would open the account too, maybe before the step that is to be killed. Another
# node may have the files of the simulated systems, so these have their own.
start "$b" --sample.simulators.port="$simulators" \
  --sample.simulators.database-url="jdbc:h2:file:./target/kill-simulators-$b;WRITE_DELAY=0" --sample.gateway.webhook-attempts=0 "$@"
await_start "$b" $!

echo "Node A starts on port $a. Opening an account takes an hour there."
start "$a" --sample.simulators.url="http://localhost:$simulators" --sample.account.latency=1h "$@"
node_a=$!
await_start "$a" "$node_a"

echo "A customer pays for $order at node A."
checkout "$a" -o /dev/null &
await "$a" "node A is not in the step create_account" is_in_second_step

kill -9 "$node_a"
wait "$node_a" 2>/dev/null || true
echo "Node A was killed in the step create_account: $(counts)."

echo "The customer sends the same to node B:"
await "$b" "node B has not finished the checkout" is_finished

echo "Node B has finished it: $(counts). It answers"
echo "  $(cat target/answer.json)"
echo "and to everybody who asks again, with the same order number,"
echo "  $(checkout "$b")"
