package io.idempotency.sample;

class H2PageTests extends PageStories implements OnH2 {}
