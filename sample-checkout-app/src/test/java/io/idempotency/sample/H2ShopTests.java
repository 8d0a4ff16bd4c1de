package io.idempotency.sample;

class H2ShopTests extends ShopStories implements OnH2, InvalidOrderStories, ScriptStories, RealTimeStories {}
