import MediaModel
import Testing

@testable import MediaAudit

/// Notes and keys as other programs write them.
struct SignedNoteTests {
  /// Source: the example of the Go package golang.org/x/mod/sumdb/note.
  static let note = """
    If you think cryptography is the answer to your problem,
    then you don't know what your problem is.

    \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

    """
  static let key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"

  @Test("A note that Go signed is read, and its signature is good")
  func goNote() throws {
    let note = try #require(SignedNote(Self.note))
    let key = try #require(VerifierKey(Self.key))
    #expect(key.description == Self.key && key.identifier == "PeterNeumann+c74f20a3")
    #expect(note.isSigned(by: key))
    #expect(note.serialized == Self.note)
    #expect(!note.isSigned(by: AuditSigner().verifierKey))
  }

  @Test("No changed byte of a signed head passes")
  func changedHead() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 1, runs: 1) { _ in signer }
    let text = try #require(log.signedHeads.values.first)
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      for flip: UInt8 in [1, 0x20] {
        var changed = bytes
        changed[index] ^= flip
        let note = String(decoding: changed, as: UTF8.self)
        let isGood = SignedHead(note: note)?.note.isSigned(by: signer.verifierKey) ?? false
        #expect(!isGood, "byte \(index) ^ \(flip)")
      }
    }
    for length in bytes.indices {
      #expect(
        SignedHead(note: String(decoding: bytes[..<length], as: UTF8.self))?
          .note.isSigned(by: signer.verifierKey) != true
      )
    }
  }

  @Test("A key survives its file, and a damaged one is no key")
  func keyText() throws {
    let signer = AuditSigner().rotated(at: .now).rotated(at: .now)
    let again = try #require(AuditSigner(signer.serialized))
    #expect(again.verifierKey == signer.verifierKey && again.rotations.count == 2)
    let chain = again.rotations.compactMap { KeyRotation($0) }
    #expect(chain.count == 2 && chain[0].new == chain[1].old && chain[1].new == again.verifierKey)
    let times = [
      "soon", "2026-11-21", "2026-13-21T01:44:39.123456Z", "0000-01-01T00:00:00.000000Z",
    ]
    for time in times {
      #expect(KeyRotation(chain[0].text.replacing(chain[0].time, with: time)) == nil, "\(time)")
    }
    #expect(KeyRotation(chain[0].text) == chain[0])
    let bytes = Array(signer.serialized.utf8)
    for index in 0..<100 {
      var changed = bytes
      changed[index] ^= 1
      let other = AuditSigner(String(decoding: changed, as: UTF8.self))
      #expect(other == nil || other?.verifierKey == signer.verifierKey, "byte \(index)")
    }
    for text in ["", "\n", "PRIVATE+KEY+a+b+c\n", Self.key] { #expect(AuditSigner(text) == nil) }
  }

  @Test("What is no note, key or head is nil")
  func malformed() {
    for text in [
      "", "\n", "\n\n", "text\n", "text\n\n\u{2014} a\n", "text\n\n\u{2014} a !!!!\n",
      "text\n\n- a AAAAAAAA\n", "a\u{7}b\n\n\u{2014} a AAAAAAAA\n", Self.note + "x",
    ] {
      #expect(SignedNote(text) == nil, "\(text)")
      #expect(SignedHead(note: text) == nil, "\(text)")
    }
    for text in ["", "a", "a+b", "a+00000000+AQ==", Self.key + "=", " " + Self.key] {
      #expect(VerifierKey(text) == nil, "\(text)")
    }
  }
}
