import Foundation
import MediaTestSupport
import Testing

/// A time-stamping authority of `openssl ts`, with a certificate of an authority of its own.
struct TimestampAuthority {
  let folder: String
  /// The time from which its clock starts in each program, as faketime reads it; nil for now.
  let clock: String?

  var certificate: String { folder + "/ca.pem" }

  /// Makes both certificates, which are valid for 20 days.
  ///
  /// faketime's clock goes on from its start in each program, and making a key takes seconds: a
  /// certificate made by the clock of the replies could begin after them.
  init(in folder: String, clock: String? = nil, certificatesMade: String? = nil) throws {
    self.folder = folder
    self.clock = clock
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let settings = """
      [tsa]
      default_tsa = t
      [t]
      serial = \(folder)/serial
      crypto_device = builtin
      signer_cert = \(folder)/tsa.pem
      signer_key = \(folder)/tsa.key
      signer_digest = sha256
      default_policy = 1.2.3.4.1
      digests = sha256
      ess_cert_id_alg = sha256
      """
    for (name, text) in [
      ("tsa.cnf", settings), ("serial", "01\n"),
      ("extensions", "extendedKeyUsage=critical,timeStamping\n"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    for arguments in [
      "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=Test -days 20",
      "req -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /O=Example/CN=TSA",
      "x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 20 -extfile extensions "
        + "-out tsa.pem",
    ] { try run(arguments, at: certificatesMade ?? clock) }
  }

  /// The response to a request.
  func reply(to query: String, as reply: String) throws {
    try run("ts -reply -queryfile \(query) -config tsa.cnf -out \(reply)", at: clock)
  }

  /// Whether openssl verifies a response to a request, or about a file.
  func verifies(_ reply: String, _ kind: String, _ file: String) throws -> Bool {
    try Tool.run("openssl", ["ts", "-verify", "-in", reply, kind, file, "-CAfile", certificate]).status == 0
  }

  private func run(_ arguments: String, at clock: String?) throws {
    let words = ["openssl"] + arguments.split(separator: " ").map(String.init)
    let result =
      if let clock {
        try Tool.run("faketime", [clock] + words, in: folder)
      } else {
        try Tool.run(words[0], Array(words.dropFirst()), in: folder)
      }
    try #require(result.status == 0, "\(arguments): \(result.error)")
  }
}
