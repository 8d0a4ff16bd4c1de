package io.idempotency.core;

/**
 * A store whose verbs wait for nothing: no server, no file, no lock. They need no time limit and run on the thread of
 * their caller, which spares each call two changes of threads.
 */
public interface ImmediateStore extends IdempotencyStore {}
