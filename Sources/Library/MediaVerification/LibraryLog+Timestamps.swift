internal import Glibc
package import MediaAudit
internal import MediaFileSystem
package import MediaModel

extension LibraryLog {
  /// A request for a timestamp of the newest signed head.
  package struct TimestampQuery: Sendable, Hashable {
    /// The name of the head's file in the folder of the log.
    package var head: String
    /// SHA-256 of that file, 64 lowercase hexadecimal digits.
    package var sha256: String
    /// A TimeStampReq in DER (RFC 3161).
    package var bytes: [UInt8]
  }

  /// Makes a request for a timestamp of the newest signed head.
  ///
  /// - Throws: ``TimestampFailure`` `.usage` without a signed head; `AuditError` `.cannotRead`.
  package func timestampQuery() throws -> TimestampQuery {
    guard let newest = try signedHeads().last else {
      throw TimestampFailure(
        .usage,
        "No run of the library has signed the log. Run again without --unsigned, then repeat this."
      )
    }
    let imprint = TimestampCheck.imprint(of: newest.text)
    do {
      return TimestampQuery(
        head: newest.name.headText,
        sha256: Hexadecimal.text(imprint),
        bytes: try TimestampRequest(imprint: imprint).bytes
      )
    } catch {
      guard error.kind != .unavailable else { throw TimestampFailure(error) }
      throw TimestampFailure(.internalCheck, "The request was not made: \(error).")
    }
  }

  /// Puts the answer of an authority beside the head that it is about, whole or not at all.
  ///
  /// - Parameters:
  ///   - reply: A TimeStampResp in DER, of at most 1 MiB.
  ///   - query: The request that it has to answer; nil when that was not kept.
  ///   - authorities: Trusted certificates in PEM; nil when nothing is said of whom to trust.
  /// - Returns: The stored timestamp, and whether it was there already.
  /// - Throws: ``TimestampFailure``: `.differencesFound` for an answer that does not hold, `.usage` when the head
  ///   has another timestamp, `.cannotWrite`; `AuditError` `.cannotRead`.
  package func store(
    timestamp reply: [UInt8],
    query: [UInt8]?,
    authorities: [UInt8]?
  ) throws -> (timestamp: AuditTimestamp, wasThere: Bool) {
    func refused(_ reason: String) -> TimestampFailure {
      TimestampFailure(.differencesFound, "The answer was not stored: \(reason).")
    }
    let timestamp: Timestamp
    let heads = try signedHeads()
    let name: AuditFileName
    do {
      timestamp = try Timestamp(reply)
      if let query {
        let request = try TimestampRequest(query)
        guard request.imprint == timestamp.imprint, request.nonce == timestamp.nonce else {
          throw refused("it is the answer to another request")
        }
      }
      let head = heads.last { TimestampCheck.imprint(of: $0.text) == timestamp.imprint }
      guard let head else { throw refused("it is about none of the log's signed heads") }
      try timestamp.verify(imprint: timestamp.imprint, authorities: authorities)
      name = head.name
    } catch let error as TimestampError {
      guard error.kind != .unavailable else { throw TimestampFailure(error) }
      throw refused("\(error)")
    }
    let stored = AuditTimestamp(
      file: name.timestampText,
      time: timestamp.time,
      signer: timestamp.signer,
      isTrusted: authorities != nil
    )
    let isNew = try put(reply, as: name.timestampText)
    return (stored, !isNew)
  }

  /// The signed heads that have a text, in the order of the runs.
  private func signedHeads() throws -> [(name: AuditFileName, text: String)] {
    try folder.signedHeads().compactMap { name, text in
      guard let name = AuditFileName(headText: name), SignedHead(note: text) != nil,
        !text.hasSuffix("\n\n")
      else { return nil }
      return (name, text)
    }.sorted { $0.name < $1.name }
  }

  /// Writes a new file; false when it was there with the same bytes.
  private func put(_ bytes: [UInt8], as name: String) throws -> Bool {
    let shown = "Audit/\(name)"
    let final = Array(name.utf8)
    let partial = Array(".\(name).\(getpid()).new".utf8)
    defer { try? FileSystem.removeFile(in: descriptor, partial) }
    do {
      let file = try FileSystem.createFile(in: descriptor, partial, mode: 0o644)
      try file.write(bytes)
      try file.flush()
      try FileSystem.link(from: descriptor, partial, to: descriptor, final)
      try descriptor.flush()
      return true
    } catch {
      guard error.errno == EEXIST else {
        throw TimestampFailure(.cannotWrite, "\(shown) was not written: \(error).")
      }
      let there = try folder.timestamps(limit: Timestamp.maximumByteCount)[name]
      if there == bytes { return false }
      throw TimestampFailure(.usage, "The signed head has a timestamp already, which stays: \(shown).")
    }
  }
}

/// Why there is no timestamp.
package struct TimestampFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the command that met it ends with.
  package var exitCode: RunExitCode
  /// A sentence for a person.
  package var description: String

  /// Looks whether the file of trusted authorities has a certificate.
  ///
  /// - Parameters:
  ///   - authorities: The file's content.
  ///   - file: The file's name, escaped.
  /// - Throws: ``TimestampFailure`` `.usage` when it has none.
  package static func checkAuthorities(
    _ authorities: [UInt8],
    of file: String
  ) throws(TimestampFailure) {
    do {
      try Timestamp.checkAuthorities(authorities)
    } catch {
      guard error.kind != .unavailable else { throw TimestampFailure(error) }
      throw TimestampFailure(.usage, "--tsa-ca: \(file): \(error).")
    }
  }

  init(_ exitCode: RunExitCode, _ description: String) {
    self.exitCode = exitCode
    self.description = description
  }

  /// The failure of a machine that cannot read timestamps.
  init(_ error: TimestampError) {
    self.init(.enforcementUnavailable, "Timestamps cannot be read: \(error).")
  }
}
