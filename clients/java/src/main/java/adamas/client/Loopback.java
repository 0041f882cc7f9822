package adamas.client;

/** Which targets are this machine. */
final class Loopback {
  private Loopback() {}

  /** Whether what is sent to a target stays on this machine. Asks no name server. */
  static boolean isTarget(String target) {
    if (target.startsWith("unix:")) {
      return true;
    }
    String address = target.substring(target.lastIndexOf('/') + 1);
    String host = address.replaceFirst(":\\d+$", "").replaceAll("[\\[\\]]", "");
    return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
  }
}
