package io.idempotency.listener;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A Kafka broker in this JVM with one topic of one partition, another one for dead letters, and the group "payments". */
final class PaymentsBroker {

    private static final TopicPartition PAYMENTS = new TopicPartition("payments", 0);

    private static final String GROUP = "payments";

    private @Nullable AdminClient admin;

    private final EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, "payments", "payments-dlt");

    /** Returns the address. */
    String start() {
        broker.brokerProperty("group.initial.rebalance.delay.ms", 0);
        broker.brokerProperty("offsets.topic.num.partitions", 1);
        broker.afterPropertiesSet();
        String address = broker.getBrokersAsString();
        admin = AdminClient.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address));
        return address;
    }

    void stop() {
        admin().close();
        broker.destroy();
    }

    /** Says whether the group has done with all messages. */
    boolean isEverythingCommitted() {
        return committed(admin()) == end(admin());
    }

    /** Makes the group, whose consumers must be stopped, forget that it has done with the last message. */
    void forgetLastCommit() {
        OffsetAndMetadata before = new OffsetAndMetadata(committed(admin()) - 1);
        get(admin().alterConsumerGroupOffsets(GROUP, Map.of(PAYMENTS, before)).all());
    }

    private AdminClient admin() {
        if (admin == null) {
            throw new IllegalStateException("The broker is not started");
        }
        return admin;
    }

    private static long committed(AdminClient admin) {
        OffsetAndMetadata offset = get(admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata())
                .get(PAYMENTS);
        return offset == null ? 0 : offset.offset();
    }

    private static long end(AdminClient admin) {
        return get(admin.listOffsets(Map.of(PAYMENTS, OffsetSpec.latest())).partitionResult(PAYMENTS))
                .offset();
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
