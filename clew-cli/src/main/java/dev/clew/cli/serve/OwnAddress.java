package dev.clew.cli.serve;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/** Whether a URL leads back to the server that is about to start. Stateless. */
final class OwnAddress {
  private OwnAddress() {}

  /**
   * Whether whoever calls the URL reaches a server that listens at this host and port.
   *
   * @param port 0 for any that is free, which nobody can have named before
   */
  static boolean is(String url, String host, int port) {
    URI uri;
    try {
      uri = URI.create(url.strip());
    } catch (IllegalArgumentException e) {
      return false; // whoever uses it will say what is wrong with it
    }
    if (uri.getHost() == null || port == 0 || portOf(uri) != port) {
      return false;
    }
    List<InetAddress> own = addresses(host);
    return uri.getHost().equalsIgnoreCase(host)
        || addresses(uri.getHost()).stream()
            .anyMatch(called -> own.stream().anyMatch(listening -> reaches(called, listening)));
  }

  /** Whether only programs of this machine reach this host. */
  static boolean isLoopback(String host) {
    List<InetAddress> own = addresses(host);
    return !own.isEmpty() && own.stream().allMatch(InetAddress::isLoopbackAddress);
  }

  private static int portOf(URI uri) {
    if (uri.getPort() >= 0) {
      return uri.getPort();
    }
    return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
  }

  private static List<InetAddress> addresses(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  private static boolean reaches(InetAddress called, InetAddress listening) {
    return called.equals(listening)
        || (isHere(called) && isHere(listening))
        || (listening.isAnyLocalAddress() && isOfThisMachine(called));
  }

  /** Such as 127.0.0.1, ::1 and 0.0.0.0. */
  private static boolean isHere(InetAddress address) {
    return address.isLoopbackAddress() || address.isAnyLocalAddress();
  }

  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
