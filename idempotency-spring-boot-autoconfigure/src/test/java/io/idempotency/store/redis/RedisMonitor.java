package io.idempotency.store.redis;

import io.idempotency.testsupport.TestServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Listens to what clients send to the server, by its command {@code MONITOR}. Unlike the counters of the server it tells
 * what a script calls from what a client sends.
 */
final class RedisMonitor implements AutoCloseable {

    /** {@code 1339518083.107412 [0 127.0.0.1:60866] "evalsha" ...}; commands of scripts have {@code lua} for an address. */
    private static final Pattern COMMAND = Pattern.compile("\\+\\S+ \\[\\d+ (\\S+)] \"(\\w+)\".*");

    private final Socket socket;

    private final BufferedReader lines;

    RedisMonitor() throws IOException {
        TestServers.Redis server = TestServers.redis();
        socket = new Socket(server.host(), server.port());
        socket.setSoTimeout(10_000);
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
        if (!"+OK".equals(lines.readLine())) {
            throw new IOException("The server refuses to be monitored");
        }
    }

    /** Returns the names of the commands that clients have sent since the last call, in lower case. */
    List<String> sent(TestRedis redis) throws IOException {
        String mark = UUID.randomUUID().toString();
        redis.ask(connection -> connection.echo(TestRedis.bytes(mark)));
        List<String> commands = new ArrayList<>();
        for (String line = lines.readLine(); !line.contains(mark); line = lines.readLine()) {
            Matcher command = COMMAND.matcher(line);
            if (command.matches() && !command.group(1).equals("lua")) {
                commands.add(command.group(2).toLowerCase(Locale.ROOT));
            }
        }
        return commands;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
