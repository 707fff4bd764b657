/**
 * Real servers for tests and benchmarks, started by the build itself without Docker, by root or by
 * anyone else: {@link dev.clew.testservers.PostgresServer}, {@link
 * dev.clew.testservers.RedisServer}, {@link dev.clew.testservers.RedisCluster}, {@link
 * dev.clew.testservers.Sentinel}. The one place of the project where such a server is started. A
 * server that cannot be started is an error that says why, never a skipped test. {@link
 * dev.clew.testservers.ManySockets} is the crowd that tries a server of our own, {@link
 * dev.clew.testservers.Attack} what somebody does who wants to harm it, {@link
 * dev.clew.testservers.ChromiumProgram} finds the browser that looks at its page.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.testservers;
