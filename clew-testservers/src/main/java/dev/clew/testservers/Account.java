package dev.clew.testservers;

import com.sun.security.auth.module.UnixSystem;
import java.util.ArrayList;
import java.util.List;

/**
 * As whom a program is run. Immutable.
 *
 * <p>PostgreSQL refuses to be run by root, which in a container a build often is. Then it is run in
 * a user namespace, where root is nobody; and where namespaces are forbidden, by a user without
 * rights.
 *
 * @param name what people call it
 * @param prefix what stands before the words of a command
 * @param owner whom the files of the program must belong to; empty if to ourselves
 */
record Account(String name, List<String> prefix, String owner) {
  private static final String NOBODY = "nobody";

  static final Account OURSELVES = new Account("ourselves", List.of(), "");

  private static final Account IN_A_NAMESPACE =
      new Account("root in a user namespace", List.of("unshare", "-U"), "");

  /** An account that may run PostgreSQL. */
  static Account unprivileged() {
    return isRoot() ? firstThatWorks(IN_A_NAMESPACE) : OURSELVES;
  }

  /** As where user namespaces are forbidden. */
  static Account withoutNamespaces() {
    return isRoot() ? firstThatWorks() : OURSELVES;
  }

  private static boolean isRoot() {
    return new UnixSystem().getUid() == 0;
  }

  private static Account firstThatWorks(Account... first) {
    List<Account> accounts = new ArrayList<>(List.of(first));
    accounts.addAll(
        List.of(
            nobody("setpriv", "--reuid=" + NOBODY, "--regid=" + groupOfNobody(), "--clear-groups"),
            nobody("runuser", "-u", NOBODY, "--"),
            nobody("su", "-s", "/bin/sh", NOBODY, "-c", "exec \"$0\" \"$@\"", "--")));
    List<String> reasons = new ArrayList<>();
    for (Account account : accounts) {
      Command.Result id = account.run("id", "-u");
      if (id.succeeded() && !id.output().equals("0")) {
        return account;
      }
      reasons.add(account.prefix.get(0) + ": " + id.output());
    }
    throw new IllegalStateException(
        "PostgreSQL does not let root run it, and root can become nobody else here; run the build"
            + " as another user, or allow user namespaces (sysctl user.max_user_namespaces), or"
            + " install setpriv or runuser (util-linux); tried "
            + String.join("; ", reasons));
  }

  private static Account nobody(String... prefix) {
    return new Account("user " + NOBODY + " by " + prefix[0], List.of(prefix), NOBODY);
  }

  private static String groupOfNobody() {
    return Command.run(List.of("id", "-g", NOBODY)).output();
  }

  /** The words of a command, to be run by this account. */
  List<String> command(String... words) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of(words));
    return command;
  }

  /** Runs a command to its end. */
  Command.Result run(String... words) {
    return Command.run(command(words));
  }
}
