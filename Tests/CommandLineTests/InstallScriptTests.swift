import Foundation
import MediaTestSupport
import Testing

/// `install.sh` of a release, for one user: what it takes, what it refuses, and that nothing stays.
@Suite(
  "The script that installs a release",
  .enabled(
    if: Has.python && Tool.exists("openssl") && Tool.exists("dpkg-deb"),
    "no python3, openssl or dpkg-deb"
  )
)
struct InstallScriptTests {
  /// A release of a package with one program, signed by a key of the test's own, and a user who has nothing yet.
  private struct Release {
    let place = TemporaryFolder()
    var folder: String { place.path + "/release" }

    init() throws {
      try sh(
        """
        cd '\(place.path)' && mkdir -p home release package/DEBIAN package/usr/bin package/usr/lib/systemd/user \
          package/usr/share/man/man1
        printf '#!/bin/sh\\necho 0.0\\n' >package/usr/bin/mediabatch && chmod 755 package/usr/bin/mediabatch
        echo page >package/usr/share/man/man1/mediabatch.1
        echo 'ExecStart=/usr/bin/mediabatch run' >package/usr/lib/systemd/user/mediabatch@.service
        architecture=$(dpkg --print-architecture) && . /etc/os-release
        printf '%s\\n' 'Package: mediabatch' 'Version: 0.0' "Architecture: $architecture" 'Maintainer: t <t@debian.invalid>' \
          'Depends: libc6 (>= 2.36)' 'Description: test' >package/DEBIAN/control
        dpkg-deb --root-owner-group -b package "release/mediabatch_0.0_${VERSION_CODENAME}_$architecture.deb"
        openssl genpkey -algorithm ed25519 -out key && openssl pkey -in key -pubout -out public.pem
        cd release && sha256sum *.deb >SHA256SUMS
        openssl pkeyutl -sign -inkey ../key -rawin -in SHA256SUMS -out SHA256SUMS.sig
        """
      )
      try sh("'\(DocumentBlock.project)/scripts/release.sh' --installer public.pem >install.sh")
    }

    @discardableResult
    func sh(_ command: String, expecting status: Int32 = 0) throws -> String {
      let result = try Tool.run(
        "bash",
        ["-c", command],
        environment: ["HOME": place.path + "/home"],
        in: place.path
      )
      #expect(result.status == status, "\(command): \(result.error)")
      return result.output + result.error
    }

    /// The files of the user's home.
    func files() throws -> [String] {
      try sh("cd home && find . -type f | sort").split(separator: "\n").map(String.init)
    }
  }

  @Test("From a folder and from a web server it installs for one user, and takes all away again")
  func installs() throws {
    let release = try Release()
    let text = try release.sh("sh install.sh release --user")
    #expect(text.contains("signed by the key in this script (SHA-256 "))
    let files = [
      "./.local/bin/mediabatch", "./.local/share/man/man1/mediabatch.1",
      "./.local/share/mediabatch/installed",
      "./.local/share/systemd/user/mediabatch@.service",
    ]
    #expect(try release.files() == files)
    #expect(
      try release.sh("cat home/.local/share/systemd/user/*").contains(
        "ExecStart=%h/.local/bin/mediabatch run"
      )
    )
    #expect(try release.sh("home/.local/bin/mediabatch") == "0.0\n")
    try release.sh("sh install.sh --uninstall --user")
    #expect(try release.files().isEmpty)
    try release.sh(
      """
      python3 -c 'import functools, http.server as h
      s = h.HTTPServer(("127.0.0.1", 0), functools.partial(h.SimpleHTTPRequestHandler, directory="release"))
      print(s.server_address[1], flush=True); s.serve_forever()' >port 2>/dev/null & server=$!
      trap 'kill $server' EXIT
      while [ ! -s port ]; do sleep 0.05; done
      sh install.sh "http://127.0.0.1:$(cat port)/" --user
      """
    )
    #expect(try release.files() == files)
  }

  @Test("Another key, changed checksums and a changed package are refused, and nothing is installed")
  func refuses() throws {
    let release = try Release()
    try release.sh(
      "openssl genpkey -algorithm ed25519 -out other && openssl pkey -in other -pubout -out other.pem"
    )
    let other = try release.sh("sh install.sh release --user --key other.pem", expecting: 65)
    #expect(other.contains("is not signed by the key other.pem"))
    try release.sh("cp -r release changed && printf x >>$(echo changed/*.deb)")
    #expect(
      try release.sh("sh install.sh changed --user", expecting: 65).contains("not the one that was released")
    )
    try release.sh("cd changed && sha256sum *.deb >SHA256SUMS")
    #expect(try release.sh("sh install.sh changed --user", expecting: 65).contains("is not signed by"))
    let without = try release.sh(
      "sh '\(DocumentBlock.project)/packaging/install.sh' release --user",
      expecting: 64
    )
    #expect(without.contains("--key"))
    #expect(try release.files().isEmpty)
  }
}
