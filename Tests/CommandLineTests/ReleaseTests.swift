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
    let checkout = URL(fileURLWithPath: Samples.folder + "/../..").standardizedFileURL.path
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
      let result = try Tool.run("bash", ["-c", command], in: checkout)
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

  @Test("Each Swift package has an exact version, also those that another one brings")
  func pinned() throws {
    let checkout = URL(fileURLWithPath: Samples.folder + "/../..").standardizedFileURL.path
    let package = try String(contentsOfFile: checkout + "/Package.swift", encoding: .utf8)
    let named = package.split(separator: "\n").filter { $0.contains(".package(url:") }
    #expect(named.count == 6)
    #expect(named.allSatisfy { $0.contains("exact: \"") })
  }
}
