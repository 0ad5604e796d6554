internal import CTimestamp

/// The answer of a time-stamping authority: that some bytes existed at a time.
///
/// It is read and verified by OpenSSL's libcrypto; see `docs/decisions/0015`.
///
/// Source: RFC 3161, section 2.4.2.
package struct Timestamp: Sendable, Hashable {
  /// The most bytes that a response may have; one of a public authority has about 6,000.
  package static let maximumByteCount = 1 << 20

  /// SHA-256 of what the timestamp is about, 32 bytes.
  package let imprint: [UInt8]
  /// When it was made, as it says: seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64
  /// The nonce of the request, in hexadecimal digits; empty without one.
  package let nonce: String
  /// The subject of the certificate that has signed it, in printable ASCII characters.
  package let signer: String
  private let bytes: [UInt8]

  /// Reads a response, of which nothing is proved then.
  ///
  /// - Parameter bytes: A TimeStampResp in DER.
  /// - Throws: ``TimestampError`` when it is none, was not granted, is about another digest than SHA-256, or
  ///   lacks the certificate of its signer.
  package init(_ bytes: [UInt8]) throws(TimestampError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw TimestampError("it has more than \(Self.maximumByteCount) bytes")
    }
    var facts = ctimestamp_facts()
    try TimestampError.check { error, capacity in
      ctimestamp_read(bytes, bytes.count, &facts, error, capacity)
    }
    self.bytes = bytes
    imprint = withUnsafeBytes(of: facts.imprint) { Array($0) }
    seconds = facts.seconds
    nonce = withUnsafeBytes(of: facts.nonce) { TimestampError.text($0) }
    signer = withUnsafeBytes(of: facts.signer) { TimestampError.text($0) }
  }

  /// Checks that the signature is good, at the time that the timestamp states, and about these bytes.
  ///
  /// - Parameters:
  ///   - imprint: SHA-256 of the bytes that it has to be about, 32 bytes.
  ///   - authorities: Trusted certificates in PEM; nil to check only that the certificate in it has signed it.
  /// - Throws: ``TimestampError`` when it is about other bytes or was changed; `.otherAuthority` when it was signed by
  ///   a certificate that no trusted one has issued for time stamping.
  package func verify(
    imprint: [UInt8],
    authorities: [UInt8]?
  ) throws(TimestampError) {
    guard imprint.count == 32, imprint == self.imprint else {
      throw TimestampError("it is about other bytes")
    }
    try verify(imprint, [])
    guard let authorities else { return }
    try Self.checkAuthorities(authorities)
    do {
      try verify(imprint, authorities)
    } catch {
      throw TimestampError(
        "it is not signed by this authority: its signer's certificate is of another, not for time "
          + "stamping, or was not valid then",
        kind: .otherAuthority
      )
    }
  }

  /// Looks whether a text has a certificate in PEM.
  ///
  /// - Throws: ``TimestampError`` when it has none.
  package static func checkAuthorities(_ authorities: [UInt8]) throws(TimestampError) {
    try TimestampError.check { error, capacity in
      authorities.withUnsafeBytes { bytes in
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return ctimestamp_check_authorities(start, bytes.count, error, capacity)
      }
    }
  }

  /// As ``verify(imprint:authorities:)``, without trusted certificates if there are none.
  private func verify(_ imprint: [UInt8], _ authorities: [UInt8]) throws(TimestampError) {
    try TimestampError.check { error, capacity in
      authorities.withUnsafeBytes { trusted in
        ctimestamp_verify(
          bytes,
          bytes.count,
          imprint,
          trusted.baseAddress?.assumingMemoryBound(to: CChar.self),
          trusted.count,
          error,
          capacity
        )
      }
    }
  }
}

/// A request to a time-stamping authority.
///
/// Source: RFC 3161, section 2.4.1.
package struct TimestampRequest: Sendable, Hashable {
  /// SHA-256 of what it is about, 32 bytes.
  package let imprint: [UInt8]
  /// The nonce, in hexadecimal digits; empty without one.
  package let nonce: String
  /// A TimeStampReq in DER.
  package let bytes: [UInt8]

  /// Makes a request with a new nonce of 64 bits, which asks for the signer's certificate.
  ///
  /// - Parameter imprint: SHA-256 of what the timestamp shall be about, 32 bytes.
  /// - Throws: ``TimestampError`` when libcrypto cannot make it.
  package init(imprint: [UInt8]) throws(TimestampError) {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count =
      imprint.count == 32 ? ctimestamp_request(imprint, &buffer, buffer.count) : 0
    guard count > 0 else {
      // Tells why, if the library is not there.
      _ = try Self(Array(buffer[..<1]))
      throw TimestampError("the request could not be made")
    }
    try self.init(Array(buffer[..<count]))
  }

  /// Reads a request.
  ///
  /// - Throws: ``TimestampError`` when it is none, or for another digest than SHA-256.
  package init(_ bytes: [UInt8]) throws(TimestampError) {
    var facts = ctimestamp_facts()
    try TimestampError.check { error, capacity in
      ctimestamp_read_request(bytes, bytes.count, &facts, error, capacity)
    }
    self.bytes = bytes
    imprint = withUnsafeBytes(of: facts.imprint) { Array($0) }
    nonce = withUnsafeBytes(of: facts.nonce) { TimestampError.text($0) }
  }
}

/// Why a timestamp proves nothing, or a request cannot be read.
package struct TimestampError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The bytes prove nothing.
    case invalid
    /// They are signed, by another authority than the trusted ones.
    case otherAuthority
    /// Nothing is known of the bytes, since the library that reads them is not there.
    case unavailable
  }

  package var kind: Kind
  /// The reason, without a full stop.
  package var description: String

  init(_ description: String, kind: Kind = .invalid) {
    (self.kind, self.description) = (kind, description)
  }

  /// The error of a function of C that failed for this reason, where libcrypto is there or is not.
  init(reason: String, isAvailable: Bool) {
    self.init(reason, kind: isAvailable ? .invalid : .unavailable)
  }

  /// Calls a function of C that returns 0 and a reason when it fails.
  static func check(
    _ body: (UnsafeMutablePointer<CChar>, Int) -> Int32
  ) throws(TimestampError) {
    var reason = ""
    let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return 0 }
      buffer.initialize(repeating: 0)
      let result = body(start, buffer.count)
      reason = text(UnsafeRawBufferPointer(buffer))
      return result
    }
    if result == 0 {
      throw TimestampError(reason: reason, isAvailable: ctimestamp_is_available() != 0)
    }
  }

  /// A text that C has written into a buffer, up to its zero byte; what is not printable ASCII is a `?`.
  static func text(_ buffer: UnsafeRawBufferPointer) -> String {
    let bytes = buffer.prefix { $0 != 0 }
    return String(
      decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self
    )
  }
}
