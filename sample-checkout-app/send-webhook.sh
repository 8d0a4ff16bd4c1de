#!/usr/bin/env bash
# Signs an event as the payment gateway does (Standard Webhooks) and sends it to the shop once.
#
#   send-webhook.sh [event-id] [order-id]
#
# Other parts of the delivery come from the environment: SHOP_URL, WEBHOOK_SECRET, WEBHOOK_ID (of this delivery),
# WEBHOOK_TIMESTAMP (seconds), EVENT_TYPE, OCCURRED_AT, AMOUNT_CENTS; EVENT is the whole body. CURL_OPTIONS go to curl.
set -euo pipefail

event_id=${1:-evt_1}
order_id=${2:-checkout_123}
shop=${SHOP_URL:-http://localhost:8080}
secret=${WEBHOOK_SECRET:-whsec_Y2hlY2tvdXQtc2FtcGxlLXNlY3JldA==}
id=${WEBHOOK_ID:-msg_$(openssl rand -hex 12)}
timestamp=${WEBHOOK_TIMESTAMP:-$(date +%s)}
event=${EVENT:-'{"source": "acme-pay", "id": "'"$event_id"'", "type": "'"${EVENT_TYPE:-checkout.completed}"'", '\
'"occurredAt": "'"${OCCURRED_AT:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}"'", "data": {'\
'"orderId": "'"$order_id"'", "email": "ada@example.com", "plan": "annual", "amountCents": '"${AMOUNT_CENTS:-120000}"'}}'}

key=$(printf '%s' "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
signature=$(printf '%s.%s.%s' "$id" "$timestamp" "$event" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

# shellcheck disable=SC2086
exec curl -sS ${CURL_OPTIONS:--i} "$shop/webhooks/payments" -H 'Content-Type: application/json' \
  -H "webhook-id: $id" -H "webhook-timestamp: $timestamp" -H "webhook-signature: v1,$signature" --data-raw "$event"
