package io.idempotency.sample.worker;

/**
 * A worker that was killed.
 *
 * @param pid its process
 * @param exitValue what the operating system says of its end: 137 is that of {@code kill -9}
 * @param step the step of the checkout that it was in
 */
record KilledWorker(long pid, int exitValue, String step) {}
