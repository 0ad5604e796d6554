import Foundation
import MediaTestSupport
import Testing

/// The files of a release, as somebody checks them who has the public key alone.
@Suite(
  "The release: checksums, signature and attestation",
  .enabled(if: Has.python && Tool.exists("openssl"), "no python3 or openssl")
)
struct ReleaseTests {
  /// A folder as `make release` leaves it, with one package, signed by a key of the test's own.
  private struct Release {
    let folder = TemporaryFolder()
    let elsewhere = TemporaryFolder()
    var package: String { folder.path + "/mediabatch_0.2.0_bookworm_amd64.deb" }
    var privateKey: String { elsewhere.path + "/key.pem" }
    var publicKey: String { elsewhere.path + "/public.pem" }

    init() throws {
      let key = privateKey
      try Data("package".utf8).write(to: URL(fileURLWithPath: package))
      try sh("openssl genpkey -algorithm ed25519 -out '\(key)'")
      try sh("openssl pkey -in '\(key)' -pubout -out '\(publicKey)'")
      try sh("cp '\(publicKey)' '\(folder.path)/mediabatch-release.pem'")
      try sh("RELEASE_KEY='\(key)' scripts/attest.py '\(folder.path)' 2026-11-26T00:00:00Z bookworm")
      try sh(
        """
        cd '\(folder.path)' && sha256sum *.deb *.json *.pem >SHA256SUMS \
        && openssl pkeyutl -sign -inkey '\(key)' -rawin -in SHA256SUMS -out SHA256SUMS.sig
        """
      )
    }

    @discardableResult
    func sh(_ command: String, expecting status: Int32 = 0) throws -> String {
      let result = try Tool.run("bash", ["-c", command], in: DocumentBlock.project)
      #expect(result.status == status, "\(command): \(result.error)")
      return result.output + result.error
    }

    func verify(expecting status: Int32, key: String? = nil) throws -> String {
      try sh("scripts/release.sh --verify '\(folder.path)' '\(key ?? publicKey)'", expecting: status)
    }
  }

  @Test("A release holds; a changed file, and a key of somebody else, are refused")
  func verified() throws {
    let release = try Release()
    #expect(try release.verify(expecting: 0).hasSuffix("hold\n"))
    let other = release.elsewhere.path + "/other"
    try release.sh("openssl genpkey -algorithm ed25519 -out '\(other).key'")
    try release.sh("openssl pkey -in '\(other).key' -pubout -out '\(other).pem'")
    #expect(try release.verify(expecting: 65, key: other + ".pem").contains("not signed by"))
    try Data("Package".utf8).write(to: URL(fileURLWithPath: release.package))
    #expect(try release.verify(expecting: 65).contains("not the one that was released"))
  }

  @Test("The attestation alone finds a changed file, one that is missing, and one that was added")
  func attested() throws {
    let release = try Release()
    let check = "scripts/attest.py --verify '\(release.folder.path)' '\(release.publicKey)'"
    try release.sh(check)
    try Data("Package".utf8).write(to: URL(fileURLWithPath: release.package))
    #expect(try release.sh(check, expecting: 65).contains("bookworm_amd64.deb"))
    try FileManager.default.removeItem(atPath: release.package)
    #expect(try release.sh(check, expecting: 65).contains("bookworm_amd64.deb"))
    try Data("package".utf8).write(to: URL(fileURLWithPath: release.package))
    try release.sh(check)
    try Data().write(to: URL(fileURLWithPath: release.folder.path + "/added.deb"))
    #expect(try release.sh(check, expecting: 65).contains("added.deb"))
  }

  @Test("The attestation of a source archive, which has no history, names its commit")
  func archived() throws {
    let release = try Release()
    let commit = String(repeating: "a1", count: 20)
    let copy = release.elsewhere.path + "/archive"
    let sources = copy + "/Sources/Foundations/MediaModel"
    try release.sh("grep -qx 'scripts/attest.py export-subst' .gitattributes")
    try release.sh(
      """
      mkdir -p '\(sources)' '\(copy)/scripts' && cp Package.swift '\(copy)' \
      && cp Sources/Foundations/MediaModel/BuildInfo.swift '\(sources)' \
      && cp scripts/version.sh '\(copy)/scripts' \
      && sed 's/^COMMIT = .*/COMMIT = "\(commit)"/' scripts/attest.py >'\(copy)/scripts/attest.py'
      """
    )
    let arguments = "'\(release.folder.path)' 2026-11-26T00:00:00Z bookworm"
    try release.sh("RELEASE_KEY='\(release.privateKey)' python3 '\(copy)/scripts/attest.py' \(arguments)")
    let statement = try release.sh(
      "jq -r .payload '\(release.folder.path)'/*.intoto.json | base64 -d"
    )
    #expect(statement.contains("{\"digest\":{\"gitCommit\":\"\(commit)\"},\"name\":\"source\"}"))
  }

  /// A repository whose only commit, of 30 November 2026, could be released.
  private struct Candidate {
    let folder = TemporaryFolder()

    init() throws {
      let copied = [
        "scripts/release.sh", "scripts/changelog.py", "scripts/version.sh", "Package.swift",
        "changes/README.md",
        "Sources/Foundations/MediaModel/BuildInfo.swift",
      ]
      let list = copied.map { "'\($0)'" }.joined(separator: " ")
      #expect(
        try Tool.run("bash", ["-c", "cp --parents \(list) '\(folder.path)'"], in: DocumentBlock.project)
          .status == 0
      )
      try sh(
        """
        version=$(scripts/version.sh) && mkdir debian && git init -q
        printf '# Changelog\\n\\n## %s (2026-11-30)\\n\\nText.\\n' "$version" >CHANGELOG.md
        printf 'mediabatch (%s) unstable; urgency=medium\\n\\n  * A.\\n\\n -- m <m@debian.invalid>  %s\\n' "$version" \
          'Mon, 30 Nov 2026 10:00:00 +0000' >debian/changelog
        """
      )
      try commit()
    }

    @discardableResult
    func sh(_ command: String, expecting status: Int32 = 0) throws -> String {
      let identity = ["AUTHOR", "COMMITTER"].flatMap {
        [
          ("GIT_\($0)_NAME", "t"), ("GIT_\($0)_EMAIL", "t@debian.invalid"),
          ("GIT_\($0)_DATE", "2026-12-01T01:30:00+0200"),
        ]
      }
      let environment = Dictionary(uniqueKeysWithValues: identity)
      let result = try Tool.run("bash", ["-c", command], environment: environment, in: folder.path)
      #expect(result.status == status, "\(command): \(result.error)")
      return result.output + result.error
    }

    func commit() throws { try sh("git add -A && git commit -qm t") }

    /// What the script says of a commit with a mistake, which is taken away again.
    func refusal(of mistake: String) throws -> String {
      try sh(mistake)
      try commit()
      let text = try sh("scripts/release.sh --check", expecting: 65)
      try sh("git reset -q --hard HEAD~1")
      return text
    }
  }

  @Test(
    "A version that is still open is not released",
    .enabled(if: Tool.exists("git"), "no git"),
    arguments: [
      ("printf x >changes/new.md", "changes has 1 files"),
      (
        "sed -i 's/^## .*/## Unreleased\\n\\n- A page.\\n\\n&/' CHANGELOG.md",
        "begins with what is unreleased"
      ),
      ("sed -i 's/^## .*/## 9.9.9 (2026-11-30)\\n\\n&/' CHANGELOG.md", "does not begin with a section"),
      ("sed -i 's/2026-11-30/2026-11-26/' CHANGELOG.md", "says 2026-11-26, and the commit is of 2026-11-30"),
      ("sed -i 's/Mon, 30/Thu, 26/' debian/changelog", "debian/changelog is not of Mon, 30 Nov 2026"),
      ("sed -i 's/^mediabatch (/&9/' debian/changelog", "debian/changelog does not begin with"),
      ("sed -i '0,/exact:/s//from:/' Package.swift", "does not pin each package"),
    ]
  )
  func stillOpen(mistake: String, says: String) throws {
    let candidate = try Candidate()
    #expect(try candidate.sh("scripts/release.sh --check").contains("can be released from"))
    #expect(try candidate.refusal(of: mistake).contains(says))
    #expect(try candidate.sh("scripts/release.sh --check").contains("can be released from"))
  }

  @Test(
    "Neither a tree that is not clean nor the tag of another commit is released",
    .enabled(if: Tool.exists("git"), "no git")
  )
  func anotherTree() throws {
    let candidate = try Candidate()
    try candidate.sh("git tag v$(scripts/version.sh)")
    try candidate.sh("scripts/release.sh --check")
    try candidate.sh("touch new")
    #expect(try candidate.sh("scripts/release.sh --check", expecting: 65).contains("is not clean"))
    try candidate.commit()
    #expect(try candidate.sh("scripts/release.sh --check", expecting: 65).contains("is of another commit"))
  }

  /// Stands for what takes an hour: a package and an SBOM for each Debian, and an image.
  private static let stubs = """
    cat >scripts/debian-tree.sh <<'END'
    #!/bin/sh
    mkdir -p "$MEDIABATCH_TREES/$1/root/release" && cd "$MEDIABATCH_TREES/$1/root/release"
    echo "$1" >mediabatch_0.2.0_amd64.deb && echo '{}' >mediabatch.cdx.json
    echo "9 passed, 0 failed, 1 skipped"
    END
    cat >scripts/container.sh <<'END'
    #!/bin/sh
    mkdir -p .build/container && echo image >.build/container/mediabatch-$(scripts/version.sh).tar
    END
    mkdir -p packaging Benchmarks/results && cp "$CHECKOUT/packaging/install.sh" packaging && echo .build/ >.gitignore
    cp "$CHECKOUT/scripts/attest.py" scripts && chmod +x scripts/*.sh
    """

  @Test(
    "Without a key a whole release is a rehearsal, and with one the commit gets the tag; both leave a result",
    .enabled(if: Tool.exists("git") && geteuid() == 0, "no git, or not root")
  )
  func rehearsed() throws {
    let candidate = try Candidate()
    try candidate.sh("CHECKOUT='\(DocumentBlock.project)'\n" + Self.stubs)
    try candidate.commit()
    let elsewhere = TemporaryFolder()
    let trees = "MEDIABATCH_TREES='\(elsewhere.path)/trees'"
    #expect(try candidate.sh("\(trees) scripts/release.sh").contains("this was a rehearsal"))
    #expect(try candidate.sh("ls .build/releases").hasSuffix("-rehearsal\n"))
    #expect(try candidate.sh("git tag").isEmpty)
    let result = try candidate.sh("cat Benchmarks/results/*-release.md")
    #expect(result.contains("A rehearsal of "))
    #expect(result.components(separatedBy: "9 passed, 0 failed, 1 skipped").count == 3, "\(result)")
    try candidate.sh("rm Benchmarks/results/*")
    try candidate.sh("openssl genpkey -algorithm ed25519 -out '\(elsewhere.path)/key.pem'")
    let key = "RELEASE_KEY='\(elsewhere.path)/key.pem'"
    #expect(try candidate.sh("\(trees) \(key) TESTS= scripts/release.sh").contains("has the tag v"))
    #expect(try candidate.sh("ls Benchmarks/results").isEmpty, "what is not whole is no result")
    #expect(
      try candidate.sh("git rev-parse HEAD") == candidate.sh("git rev-parse v$(scripts/version.sh)^{commit}")
    )
    #expect(try candidate.sh("ls .build/releases") == candidate.sh("scripts/version.sh"))
    let refusal = try candidate.sh("\(trees) scripts/release.sh", expecting: 65)
    #expect(refusal.contains("is a release already"), "a rehearsal costs no release")
  }

  @Test("Each Swift package has an exact version, also those that another one brings")
  func pinned() throws {
    let package = try String(contentsOfFile: DocumentBlock.project + "/Package.swift", encoding: .utf8)
    let named = package.split(separator: "\n").filter { $0.contains(".package(url:") }
    #expect(named.count == 6)
    #expect(named.allSatisfy { $0.contains("exact: \"") })
  }
}
