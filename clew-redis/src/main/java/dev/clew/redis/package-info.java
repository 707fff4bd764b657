/**
 * The Redis store: sessions on one server, behind Sentinel or spread over a Cluster. Start at
 * {@link dev.clew.redis.RedisStore}; the keys are documented in {@link dev.clew.redis.Keys}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.redis;
