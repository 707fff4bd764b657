package dev.clew.mcptools;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Finds the addresses of a host, once, and refuses those of private networks. Stateless. */
final class Addresses {
  private Addresses() {}

  /** A host that only has addresses which are not allowed. */
  static final class Refused extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super("its host has a private address, which is not allowed for this server");
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  /**
   * The addresses to connect to.
   *
   * @param publicOnly whether private ones are refused
   * @throws UnknownHostException if there is none
   */
  static List<InetSocketAddress> of(String host, int port, boolean publicOnly)
      throws UnknownHostException {
    List<InetSocketAddress> found = new ArrayList<>();
    for (InetAddress address : InetAddress.getAllByName(bare(host))) {
      if (publicOnly && !isPublic(address)) {
        throw new Refused();
      }
      found.add(new InetSocketAddress(address, port));
    }
    return found;
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** Whether an address is on the public internet. */
  static boolean isPublic(InetAddress address) {
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    byte[] bytes = address.getAddress();
    if (address instanceof Inet4Address) {
      return isPublic4(bytes, 0);
    }
    return !(address instanceof Inet6Address) || isPublic6(bytes);
  }

  private static boolean isPublic4(byte[] bytes, int from) {
    int a = bytes[from] & 0xff;
    int b = bytes[from + 1] & 0xff;
    int c = bytes[from + 2] & 0xff;
    boolean shared = a == 100 && b >= 64 && b < 128;
    boolean privates = a == 10 || (a == 172 && b >= 16 && b < 32) || (a == 192 && b == 168);
    boolean special =
        a == 0
            || a == 127
            || (a == 169 && b == 254)
            || (a == 192 && b == 0 && (c == 0 || c == 2))
            || (a == 198 && (b == 18 || b == 19 || (b == 51 && c == 100)))
            || (a == 203 && b == 0 && c == 113)
            || a >= 224;
    return !shared && !privates && !special;
  }

  private static boolean isPublic6(byte[] bytes) {
    int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    if ((first & 0xfe00) == 0xfc00 || (first & 0xffc0) == 0xfec0) {
      return false; // unique local, site local
    }
    if (first == 0x2002) {
      return isPublic4(bytes, 2); // 6to4
    }
    if (startsWith(bytes, 0x20, 0x01, 0x00, 0x00)
        || startsWith(bytes, 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01)) {
      return false; // Teredo, and translation for local use: where the other address is varies
    }
    boolean translated =
        startsWith(bytes, 0x00, 0x64, 0xff, 0x9b)
            || isZero(bytes, 12)
            || (isZero(bytes, 10) && bytes[10] == -1 && bytes[11] == -1);
    return !translated || isPublic4(bytes, 12);
  }

  private static boolean startsWith(byte[] bytes, int... values) {
    for (int i = 0; i < values.length; i++) {
      if ((bytes[i] & 0xff) != values[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isZero(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
