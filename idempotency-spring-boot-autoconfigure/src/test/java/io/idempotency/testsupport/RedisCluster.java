package io.idempotency.testsupport;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of primaries that share the slots evenly. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;

    private static final Duration SLOW_START = Duration.ofMinutes(1);

    private static final List<String> CONFIGURATION = List.of(
            "save \"\"",
            "cluster-enabled yes",
            "cluster-require-full-coverage no",
            "cluster-node-timeout 15000",
            "repl-ping-replica-period 1");

    private final List<RedisProcess> nodes;

    private final List<RedisProcess> replicas = new ArrayList<>();

    private RedisCluster(List<RedisProcess> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /** Starts a cluster whose nodes go on serving their slots when others are down. */
    public static RedisCluster start(int primaries) {
        List<RedisProcess> nodes = new ArrayList<>();
        for (int node = 0; node < primaries; node++) {
            nodes.add(RedisProcess.start(RedisExecutable.embedded(), CONFIGURATION));
        }
        RedisCluster cluster = new RedisCluster(nodes);
        cluster.join();
        return cluster;
    }

    private void join() {
        RedisProcess first = nodes.get(0);
        for (int node = 0; node < nodes.size(); node++) {
            nodes.get(node).ask(addSlots(SLOTS * node / nodes.size(), SLOTS * (node + 1) / nodes.size()));
            nodes.get(node).ask("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(node + 1));
        }
        for (RedisProcess other : nodes.subList(1, nodes.size())) {
            other.ask("CLUSTER", "MEET", first.host(), Integer.toString(first.port()));
        }
        await().atMost(SLOW_START).until(() -> nodes.stream().allMatch(this::seesAll));
    }

    private static String[] addSlots(int from, int to) {
        return Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(from, to).mapToObj(Integer::toString))
                .toArray(String[]::new);
    }

    private boolean seesAll(RedisProcess node) {
        String info = node.ask("CLUSTER", "INFO");
        return info.contains("cluster_state:ok")
                && info.contains("cluster_known_nodes:" + nodes.size())
                && info.contains("cluster_slots_ok:" + SLOTS);
    }

    /** Starts a replica of a primary, and returns when it has heard of it: before that, clients leave a replica alone. */
    public RedisProcess addReplicaOf(RedisProcess primary) {
        RedisProcess replica = RedisProcess.start(RedisExecutable.embedded(), CONFIGURATION);
        replicas.add(replica);
        replica.ask("CLUSTER", "MEET", primary.host(), Integer.toString(primary.port()));
        String id = id(primary);
        await().atMost(SLOW_START).until(() -> replica.ask("CLUSTER", "NODES").contains(id));
        replica.ask("CLUSTER", "REPLICATE", id);
        await().atMost(SLOW_START).until(() -> replica.replicationOffset() > 0);
        String replicaId = id(replica);
        await().atMost(SLOW_START)
                .until(() -> nodes.stream()
                        .allMatch(node -> node.ask("CLUSTER", "NODES")
                                .lines()
                                .anyMatch(line -> line.startsWith(replicaId) && line.contains("slave"))));
        return replica;
    }

    /** Makes a replica the primary of its slots, whether or not the primary still lives. */
    public void promote(RedisProcess replica) {
        replica.ask("CLUSTER", "FAILOVER", "TAKEOVER");
        await().atMost(SLOW_START).until(() -> replica.ask("ROLE").startsWith("master"));
    }

    /** Returns the primaries at the start. */
    public List<RedisProcess> nodes() {
        return nodes;
    }

    /** Returns the node that serves the slot of a key. */
    public RedisProcess nodeOf(String key) {
        return nodes.stream()
                .filter(RedisProcess::isAlive)
                .filter(node -> serves(node, slotOf(key)))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the slot of a key. */
    public int slotOf(String key) {
        return Integer.parseInt(nodes.stream()
                .filter(RedisProcess::isAlive)
                .findFirst()
                .orElseThrow()
                .ask("CLUSTER", "KEYSLOT", key));
    }

    private static boolean serves(RedisProcess node, int slot) {
        // <id> <address> myself,master - 0 0 1 connected 0-5460 [93-<-...]
        return node.ask("CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains("myself"))
                .flatMap(line -> Stream.of(line.split(" ")).skip(8))
                .filter(range -> !range.startsWith("["))
                .map(range -> range.split("-"))
                .anyMatch(range ->
                        Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
    }

    /** Begins to move a slot: keys that are not there any more are asked for at the other node. */
    public void beginMove(int slot, RedisProcess from, RedisProcess to) {
        to.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        from.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    /** Moves one key of a slot that is being moved. */
    public void moveKey(String key, RedisProcess from, RedisProcess to) {
        from.ask("MIGRATE", to.host(), Integer.toString(to.port()), key, "0", "10000");
    }

    /** Ends a move: from now on the other node serves the slot. */
    public void endMove(int slot, RedisProcess to) {
        String owner = id(to);
        to.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner);
        nodes.forEach(node -> node.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner));
    }

    private static String id(RedisProcess node) {
        return node.ask("CLUSTER", "MYID");
    }

    @Override
    public void close() {
        replicas.forEach(RedisProcess::close);
        nodes.forEach(RedisProcess::close);
    }
}
