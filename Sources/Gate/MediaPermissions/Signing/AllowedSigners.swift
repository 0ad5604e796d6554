internal import Glibc
internal import MediaModel

/// Who may sign, and with which keys: a file of OpenSSH's format.
///
/// Source: ssh-keygen(1), ALLOWED SIGNERS; OpenSSH, sshsig.c, parse_principals_key_and_options.
package struct AllowedSigners: Sendable, Hashable {
  /// A line of the file.
  struct Line: Sendable, Hashable {
    /// 1-based.
    var number: Int
    var principals: String
    var key: SSHPublicKey
    /// Nil for every namespace.
    var namespaces: String?
    /// Seconds since 1970, UTC; nil without a limit. Both are moments at which the key counts.
    var validAfter: Int64?
    var validBefore: Int64?
  }

  let lines: [Line]

  /// Reads the whole file.
  ///
  /// - Throws: ``LineProblem`` at the first line that is none of the format, or a `cert-authority`.
  package init(_ bytes: [UInt8]) throws(LineProblem) {
    var lines: [Line] = []
    for (index, text) in try LineProblem.lines(of: bytes) {
      do throws(SignatureProblem) {
        lines.append(try Self.line(text, number: index))
      } catch {
        throw LineProblem(line: index, text: error.text)
      }
    }
    self.lines = lines
  }

  /// Finds the line by which a key may sign for mediabatch at a moment.
  ///
  /// - Parameters:
  ///   - key: Who signed.
  ///   - signer: Whom the manifest names as its signer; nil where it names nobody.
  ///   - now: Seconds since 1970, UTC.
  /// - Returns: The line's number, 1-based, and the principal: the signer, else what the line has.
  /// - Throws: ``SignatureProblem`` of the last line that has the key.
  func signer(
    _ key: SSHPublicKey,
    named signer: String?,
    at now: Int64
  ) throws(SignatureProblem) -> (line: Int, principal: String) {
    var problem = SignatureProblem("its key \(key.fingerprint) is not among the allowed signers")
    for line in lines where line.key == key {
      let subject = "its key \(key.fingerprint), in line \(line.number) of the allowed signers,"
      if let signer, !OpenSSHPatterns(line.principals).match(signer) {
        problem = SignatureProblem(
          "\(subject) is not that of \"\(EscapedText.printable(signer, limit: 100))\", whom \"signedBy\" names"
        )
      } else if let namespaces = line.namespaces, !OpenSSHPatterns(namespaces).match(SSHSignature.namespace) {
        problem = SignatureProblem("\(subject) may not sign in the namespace \"\(SSHSignature.namespace)\"")
      } else if let validAfter = line.validAfter, now < validAfter {
        problem = SignatureProblem("\(subject) is not valid yet (valid-after)")
      } else if let validBefore = line.validBefore, now > validBefore {
        problem = SignatureProblem("\(subject) has expired (valid-before)")
      } else {
        return (line.number, signer ?? line.principals)
      }
    }
    throw problem
  }

  private static func line(_ text: String, number: Int) throws(SignatureProblem) -> Line {
    var words = OpenSSHWords(text)
    guard let principals = words.principals(), !principals.isEmpty else {
      throw SignatureProblem("principals, an algorithm and a key are expected")
    }
    var options: [(name: String, value: String?)] = []
    guard var algorithm = words.next() else {
      throw SignatureProblem("an algorithm and a key are expected behind the principals")
    }
    if !Self.isAlgorithm(algorithm) {
      options = try OpenSSHWords.options(algorithm)
      guard let word = words.next(), Self.isAlgorithm(word) else {
        throw SignatureProblem("an algorithm and a key are expected behind the options")
      }
      algorithm = word
    }
    guard let base64 = words.next(), let key = SSHPublicKey(algorithm: algorithm, base64: base64) else {
      throw SignatureProblem("the key cannot be read")
    }
    var line = Line(number: number, principals: principals, key: key)
    for option in options { try line.set(option.name, option.value) }
    if let after = line.validAfter, let before = line.validBefore, before <= after {
      throw SignatureProblem("\"valid-before\" is not later than \"valid-after\"")
    }
    return line
  }

  /// Whether a word is the name of an algorithm, and not an option. Source: sshd(8), AUTHORIZED_KEYS FILE FORMAT.
  static func isAlgorithm(_ word: String) -> Bool {
    ["ssh-", "ecdsa-", "sk-ssh-", "sk-ecdsa-"].contains { word.hasPrefix($0) } && !word.contains("=")
  }
}

extension AllowedSigners.Line {
  fileprivate mutating func set(_ name: String, _ value: String?) throws(SignatureProblem) {
    func moment() throws(SignatureProblem) -> Int64 {
      guard let time = value.flatMap(OpenSSHTime.seconds) else {
        throw SignatureProblem("\"\(name)\" needs a time such as \"20270131\" or \"202701311200Z\"")
      }
      return time
    }
    switch name {
    case "namespaces" where namespaces == nil && value != nil: namespaces = value
    case "valid-after" where validAfter == nil: validAfter = try moment()
    case "valid-before" where validBefore == nil: validBefore = try moment()
    case "cert-authority":
      throw SignatureProblem(
        "\"cert-authority\": certificates are not read; name the key of each signer in a line of its own"
      )
    case "namespaces", "valid-after", "valid-before":
      throw SignatureProblem("the option \"\(name)\" is there twice, or without a value")
    default: throw SignatureProblem("unknown option \"\(EscapedText.printable(name, limit: 60))\"")
    }
  }
}

/// The keys that were taken back: a text with a public key in each line.
package struct RevokedKeys: Sendable, Hashable {
  private let keys: Set<SSHPublicKey>

  package init() { keys = [] }

  /// Reads the whole file.
  ///
  /// - Throws: ``LineProblem`` at the first line that is no public key, and for a binary list (KRL).
  package init(_ bytes: [UInt8]) throws(LineProblem) {
    if bytes.starts(with: Array("SSHKRL\n".utf8)) {
      throw LineProblem(
        line: 1,
        text: "this is a binary list (KRL), which is not read; write the public keys, one a line"
      )
    }
    var keys: Set<SSHPublicKey> = []
    for (number, text) in try LineProblem.lines(of: bytes) {
      var words = OpenSSHWords(text)
      guard let algorithm = words.next(), let base64 = words.next(),
        let key = SSHPublicKey(algorithm: algorithm, base64: base64)
      else {
        throw LineProblem(line: number, text: "a public key is expected, such as \"ssh-ed25519 AAAA…\"")
      }
      keys.insert(key)
    }
    self.keys = keys
  }

  func contain(_ key: SSHPublicKey) -> Bool { keys.contains(key) }
}

/// The first line of a file that is none of its format.
package struct LineProblem: Error, Sendable, Hashable {
  /// 1-based.
  package var line: Int
  /// Escaped, without a full stop.
  package var text: String

  /// The lines that are not empty and no comment, with their numbers.
  fileprivate static func lines(of bytes: [UInt8]) throws(LineProblem) -> [(number: Int, text: String)] {
    var result: [(number: Int, text: String)] = []
    let lines = bytes.split(separator: UInt8.newline, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else {
        throw LineProblem(line: index + 1, text: "this is no text")
      }
      let first = text.utf8.first { !OpenSSHWords.isBlank($0) }
      if first != nil, first != UInt8(ascii: "#") { result.append((index + 1, text)) }
    }
    return result
  }
}
