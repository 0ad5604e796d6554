import MediaManifest
import MediaModel
import Testing

@testable import MediaPermissions

/// Signatures that OpenSSH 9.2 made of one manifest; the commands are tested with OpenSSH itself.
@Suite("Signatures of manifests")
struct SignatureTests {
  /// 2026-11-21 12:00 UTC.
  private static let noon: Int64 = 1795262400
  private static let key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILeyh4guDVgG1i3pT/uTGpRvgcsNkQQkFETSRX7ndzx7"
  private static let otherKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINFb9oE/5WEvmgi+QXeGNf2z9zM7u72D4mBQY7u3f60h"
  private static let manifest =
    #"{"version":1,"serial":3,"signedBy":"a@example.org","client":{"identifier":"org.example.feed"},"sources":{"library":{"path":"/srv/Photos","authorizationStatus":"authorized"}},"output":{"path":"/srv/Library"}}"#

  private static let sha256 = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgt7KHiC4NWAbWLelP+5MalG+Byw
    2RBCQURNJFfud3PHsAAAAKbWVkaWFiYXRjaAAAAAAAAAAGc2hhMjU2AAAAUwAAAAtzc2gt
    ZWQyNTUxOQAAAEAJkQ0ZR7DBON5DxqG2On/WagfvhyUVrVCcBOes+UVnIiw4ud9XbN74DZ
    KFLRIBq6fh4aTkTRGQSX/uW3nJWFYN
    -----END SSH SIGNATURE-----
    """

  private static let sha512 = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgt7KHiC4NWAbWLelP+5MalG+Byw
    2RBCQURNJFfud3PHsAAAAKbWVkaWFiYXRjaAAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gt
    ZWQyNTUxOQAAAEDSvZira0686HmB92hG2XizmXCWvO3qv6xuxSJMu4dDjfy/sKK1+kWv1q
    PsYqYGF/lU1/t8pfIq55nOZtk1ekQF
    -----END SSH SIGNATURE-----
    """

  /// By the same key, of the namespace `file`.
  private static let ofFiles = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgt7KHiC4NWAbWLelP+5MalG+Byw
    2RBCQURNJFfud3PHsAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
    OQAAAEAhPIwPlW0+D02t+04/ydPnkTPZ8+WLf6FnxtZy0fxb3Cev6aK1X+K4X1ekAWcOUq
    oNZobaH9cu1p5uMb59xAcM
    -----END SSH SIGNATURE-----
    """

  /// Of the namespace `mediabatch`, by a key of ssh-rsa.
  private static let rsa = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAKR1Wo2i7NqUMZFTx16ljj
    5t/MDd4lyjPJTjZo/pus0mGAmiyFgfIfCbl2eDuWB84gQwXTA2f1RsZR8lSWOJ1iee61uI
    FeXb+Gq/cOLL/2zYTHTV3OFv2HlH4qfh2rDRIL+1qGHtsIjWn4WXI2Z9vb5Wv2jRU+M3QS
    hcL1ywDTSIe+FPYiilGd8VyFpLWMI4D5CuX/FVxHWRMRMdtsbX3bN0U0R6mEoHkYgjy17W
    zivJ9/gavkcWwk5wd/7f2cgn+vARbO/YakXfCbaIpdJ1RhGuKn/nZjamOIB8PHFHCE313b
    Ym9vJhs7cp4ETHMauIRdgBc5f/VGs0hgTb+jPtwMUAAAAKbWVkaWFiYXRjaAAAAAAAAAAG
    c2hhNTEyAAABFAAAAAxyc2Etc2hhMi01MTIAAAEAa00FS8n6QuAR/cZjjJrMM0dDc0RVUR
    4WIScFAOLndWxMXHUQ9q5j9tIBGurvCve433KACP1So6ZznjhNA3pgd01geYAWlyhK3dPt
    hyvPAQRk1UWB3uKoFp3ch9YnFVLk8utpdpVvnAHoQfvfUV+4ikAwIkR6nXUAH8H3BN4hUt
    23O6BvsVpjbojLUKIR45if/hmL9RNtQVxphsx53KplTjQl+rwAyUxs/5NEe34qUqNdzL28
    yVHUAj3Dcb5vIGVgOEmkNyS7+RJCF6KovbxGHVFXfh31DdD6AUQVV41w2CuMHjP216Z6zo
    csvjrM0wvg8JCYxY9QXv2GG/2tfjTyRQ==
    -----END SSH SIGNATURE-----
    """

  /// Verifies a signature of the manifest; by default all is good.
  private func verify(
    _ signature: String = sha512,
    of manifest: String = manifest,
    signers: String = "a@example.org \(key)",
    revoked: String = "",
    minimumSerial: Int = 0,
    at now: Int64 = noon
  ) throws -> ManifestSignature {
    let rules = SignatureRules(
      sources: [.library],
      minimumSerial: minimumSerial,
      allowedSigners: try AllowedSigners(Array(signers.utf8)),
      revoked: try RevokedKeys(Array(revoked.utf8)),
      sha256s: []
    )
    let bytes = Array(manifest.utf8)
    let read = try #require(ManifestReader.read(bytes).manifest)
    #expect(rules.demands(of: read) == [.library])
    return try rules.verify(Array(signature.utf8), of: read, bytes, sha256: "00", at: now)
  }

  /// Expects that the signature does not count, with words of the reason.
  private func expectRefusal(_ words: String, _ verify: () throws -> ManifestSignature) {
    do {
      Issue.record("counts: \(try verify())")
    } catch let problem as SignatureProblem {
      #expect(problem.text.contains(words), "\(problem.text)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("A signature of OpenSSH counts with either digest, and says whose it is")
  func counts() throws {
    for signature in [Self.sha256, Self.sha512] {
      let verified = try verify(signature)
      #expect(verified.signedBy == "a@example.org")
      #expect(verified.allowedSignersLine == 1)
      #expect(verified.fingerprint == "SHA256:6wuXyWI0MxDAcbwyLFRor3zj+xQGqv5wbMCFlTtb9nI")
      #expect(verified.sha256 == "00")
      #expect(verified.verifiedAt == "2026-11-21T12:00:00Z")
      #expect(verified.serial == 3)
      #expect(verified.signedAt == nil)
    }
  }

  @Test("A flipped bit, another manifest, another namespace or algorithm: none counts")
  func refused() {
    expectRefusal("it does not fit the manifest") { try verify(of: Self.manifest + "\n") }
    expectRefusal("it does not fit the manifest") {
      try verify(Self.sha512.replacing("QF\n-----END", with: "QE\n-----END"))
    }
    expectRefusal("namespace \"file\"") { try verify(Self.ofFiles) }
    expectRefusal("ssh-rsa") {
      try verify(
        Self.rsa,
        signers:
          "a@example.org ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCkdVqNouzalDGRU8depY4+bfzA3eJcozyU42aP6brNJhgJoshYHyHwm5dng7lgfOIEMF0wNn9UbGUfJUljidYnnutbiBXl2/hqv3Diy/9s2Ex01dzhb9h5R+Kn4dqw0SC/tahh7bCI1p+FlyNmfb2+Vr9o0VPjN0EoXC9csA00iHvhT2IopRnfFchaS1jCOA+Qrl/xVcR1kTETHbbG192zdFNEephKB5GII8te1s4ryff4Gr5HFsJOcHf+39nIJ/rwEWzv2GpF3wm2iKXSdUYRrip/52Y2pjiAfDxxRwhN9d22JvbyYbO3KeBExzGriEXYAXOX/1RrNIYE2/oz7cDF"
      )
    }
    expectRefusal("no signature") { try verify("") }
    expectRefusal("damaged") { try verify(Self.sha512.replacing("U1NIU0lH", with: "U1NIU0lI")) }
    // Any other byte, too.
    let text = Array(Self.sha512.utf8)
    for index in text.indices where text[index] != UInt8(ascii: "\n") {
      var flipped = text
      flipped[index] = flipped[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(throws: SignatureProblem.self) { try verify(String(decoding: flipped, as: UTF8.self)) }
    }
  }

  @Test("An unknown, revoked, expired or early key does not count, nor one of another name or namespace")
  func keys() throws {
    expectRefusal("not among") { try verify(signers: "a@example.org \(Self.otherKey)") }
    expectRefusal("not among") { try verify(signers: "") }
    expectRefusal("revoked") { try verify(revoked: "# ours\n\n\(Self.key) a comment\n") }
    _ = try verify(revoked: Self.otherKey)
    expectRefusal("\"signedBy\"") { try verify(signers: "b@example.org \(Self.key)") }
    expectRefusal("may not sign") { try verify(signers: "* namespaces=\"git,file\" \(Self.key)") }
    _ = try verify(signers: "* namespaces=\"git,media*\" \(Self.key)")
    expectRefusal("may not sign") { try verify(signers: "* namespaces=\"*,!mediabatch\" \(Self.key)") }
    // Both ends count, as for OpenSSH.
    let interval = "* valid-after=\"20261121120000Z\",valid-before=\"202611211300Z\" \(Self.key)"
    expectRefusal("valid-after") { try verify(signers: interval, at: Self.noon - 1) }
    _ = try verify(signers: interval, at: Self.noon)
    _ = try verify(signers: interval, at: Self.noon + 3600)
    expectRefusal("valid-before") { try verify(signers: interval, at: Self.noon + 3601) }
    _ = try verify(signers: "* valid-before=\"20261123\" \(Self.key)")
    expectRefusal("valid-before") { try verify(signers: "* valid-before=\"20261119\" \(Self.key)") }
  }

  @Test("The line that counts is told, also behind others of the same key")
  func lines() throws {
    let signers = """
      # who
      a@example.org valid-before="20200101" \(Self.key)

      "x y,*@example.org,!b@example.org" NAMESPACES="mediabatch" \(Self.key) a comment
      r ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCkdVqNouzalDGRU8depY4+bfzA3eJcozyU42aP6brNJhgJoshYHyHwm5dng7lgfOIEMF0wNn9UbGUfJUljidYnnutbiBXl2/hqv3Diy/9s2Ex01dzhb9h5R+Kn4dqw0SC/tahh7bCI1p+FlyNmfb2+Vr9o0VPjN0EoXC9csA00iHvhT2IopRnfFchaS1jCOA+Qrl/xVcR1kTETHbbG192zdFNEephKB5GII8te1s4ryff4Gr5HFsJOcHf+39nIJ/rwEWzv2GpF3wm2iKXSdUYRrip/52Y2pjiAfDxxRwhN9d22JvbyYbO3KeBExzGriEXYAXOX/1RrNIYE2/oz7cDF
      """
    let verified = try verify(signers: signers)
    #expect(verified.allowedSignersLine == 4)
    #expect(verified.signedBy == "a@example.org")
  }

  @Test(
    "A line that is none of OpenSSH's format, or one of certificates, is named",
    arguments: [
      ("a", "an algorithm"), ("a ssh-ed25519", "the key"), ("a ssh-ed25519 AAAA", "the key"),
      ("a ssh-rsa KEY", "the key"), ("a cert-authority ssh-ed25519 KEY", "cert-authority"),
      ("a verify-required ssh-ed25519 KEY", "unknown option"),
      ("a namespaces=git ssh-ed25519 KEY", "in quotes"),
      ("a namespaces=\"git ssh-ed25519 KEY", "in quotes"),
      ("a valid-after=\"2026\" ssh-ed25519 KEY", "valid-after"),
      ("a valid-after=\"20260231\" ssh-ed25519 KEY", "valid-after"),
      ("a valid-after=\"20270101\",valid-before=\"20260101\" ssh-ed25519 KEY", "not later"),
      ("a namespaces=\"a\",namespaces=\"b\" ssh-ed25519 KEY", "twice"), ("\u{FFFD}", "an algorithm"),
    ]
  )
  func strangeLines(line: String, words: String) {
    let key = Self.key.dropFirst("ssh-ed25519 ".count)
    let text = "# signers\n" + line.replacing("KEY", with: key)
    do {
      _ = try AllowedSigners(Array(text.utf8))
      Issue.record("was read")
    } catch {
      #expect(error.line == 2)
      #expect(error.text.contains(words), "\(error.text)")
    }
  }

  @Test("Revoked keys are a text of public keys, and no binary list")
  func revokedKeys() {
    #expect(throws: LineProblem.self) { try RevokedKeys(Array("SSHKRL\n\0".utf8)) }
    #expect(throws: LineProblem.self) { try RevokedKeys(Array("SHA256:abc".utf8)) }
    #expect(throws: LineProblem.self) { try RevokedKeys([0xFF, 0xFE]) }
  }

  @Test("A manifest of an older serial does not count, nor one that names a file without its SHA-256")
  func serialAndFiles() throws {
    _ = try verify(minimumSerial: 3)
    expectRefusal("serial 3") { try verify(minimumSerial: 4) }
    let manifest = try #require(ManifestReader.read(Array(Self.manifest.utf8)).manifest)
    let rules = SignatureRules(
      sources: [.library],
      minimumSerial: 0,
      allowedSigners: try AllowedSigners(Array("* \(Self.key)".utf8)),
      revoked: RevokedKeys(),
      sha256s: []
    )
    var unpinned = manifest
    unpinned.labels.file = "labels.csv"
    expectRefusal("$.labels.file") {
      try rules.verify(
        Array(Self.sha512.utf8),
        of: unpinned,
        Array(Self.manifest.utf8),
        sha256: "",
        at: Self.noon
      )
    }
  }

  @Test("A manifest needs a signature for what it declares, and for the sound that its camera brings")
  func demands() throws {
    func demands(_ sources: String, _ kinds: Set<SourceKind>) throws -> [SourceKind] {
      let text =
        #"{"version":1,"client":{"identifier":"a"},"sources":{"# + sources + #"},"output":{"path":"L"}}"#
      let manifest = try #require(ManifestReader.read(Array(text.utf8)).manifest)
      return SignatureRules(
        sources: kinds,
        minimumSerial: 0,
        allowedSigners: try AllowedSigners([]),
        revoked: RevokedKeys(),
        sha256s: []
      ).demands(of: manifest)
    }
    #expect(try demands(#""library":{"path":"P"}"#, [.camera]).isEmpty)
    #expect(try demands(#""library":{"path":"P","authorizationStatus":"denied"}"#, [.library]) == [.library])
    let camera = #""camera":{"path":"C","capture":{"mode":"photoAndVideo"}}"#
    #expect(try demands(camera, [.microphone]) == [.microphone])
    #expect(try demands(camera, Set(SourceKind.allCases)) == [.camera, .microphone])
    #expect(try demands("", [.camera, .library]) == [.camera, .library])
  }
}
