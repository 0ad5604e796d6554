package import MediaModel
package import MediaWorkerProtocol

/// The thumbnails that a worker makes of one file, as far as their parts have come.
package struct MadeThumbnails {
  /// A thumbnail that is whole.
  package struct Thumbnail {
    package var spec: ThumbnailSpec
    package var size: PixelSize
    package var bytes: [UInt8]
    /// Nil where the worker made none.
    package var hashes: PictureHashes?
  }

  private let specs: [ThumbnailSpec]
  /// Those that are whole, in the order in which they came.
  package private(set) var finished: [Thumbnail] = []
  private var partial: Thumbnail?

  /// Asks for thumbnails, of which nothing has come yet.
  package init(_ specs: [ThumbnailSpec]) { self.specs = specs }

  /// Makes the job by which they are made of a published file, whose digest is known.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the request.
  ///   - mediaType: The media type of the file.
  ///   - policy: The metadata policy under which it was published.
  ///   - rotation: The degrees, clockwise, by which a person has turned its asset.
  /// - Returns: A job for facts and thumbnails, and nothing else.
  package func job(
    _ identifier: UInt64,
    of mediaType: MediaType,
    _ policy: MetadataPolicy,
    rotation: Int
  ) -> Job {
    Job(
      identifier: identifier,
      acceptedMediaTypes: [mediaType],
      thumbnails: specs,
      rotation: rotation,
      limits: .ofPublished,
      acceptsDamaged: true,
      isStripped: policy.strips,
      wantsDigest: false
    )
  }

  /// Enters a message about the job.
  ///
  /// - Returns: Whether it was the last.
  /// - Throws: `ProtocolError` for a thumbnail that was not asked for, or that is not what was asked for.
  package mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
    switch message {
    case .facts: return false
    case .thumbnail:
      let whole = try Self.take(message, into: &partial, of: specs) { [finished] spec, _ in
        !finished.contains { $0.spec.name == spec.name }
      }
      if let whole { finished.append(whole) }
      return false
    case .done:
      guard partial == nil else { throw ProtocolError("an answer that is not whole") }
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }

  /// Enters a part.
  ///
  /// - Parameters:
  ///   - message: The part.
  ///   - partial: The parts that have come before; nil for none.
  ///   - specs: Those that are asked for.
  ///   - isWanted: Whether one is wanted now whose size, within its box, is this.
  /// - Returns: The thumbnail with its last part; nil before.
  /// - Throws: `ProtocolError` for one that was not asked for, or that is not what was asked for.
  package static func take(
    _ message: WorkerMessage,
    into partial: inout Thumbnail?,
    of specs: [ThumbnailSpec],
    where isWanted: (ThumbnailSpec, PixelSize) -> Bool
  ) throws(ProtocolError) -> Thumbnail? {
    guard case .thumbnail(_, let name, let size, let bytes, let isLast, let hashes) = message else {
      return nil
    }
    if partial == nil {
      guard let spec = specs.first(where: { $0.name == name }),
        (1...spec.size.width).contains(size.width), (1...spec.size.height).contains(size.height),
        isWanted(spec, size)
      else { throw ProtocolError("a thumbnail that was not requested") }
      partial = Thumbnail(spec: spec, size: size, bytes: [])
    }
    guard var whole = partial, whole.spec.name == name, whole.size == size else {
      throw ProtocolError("two thumbnails in one")
    }
    // The only reference, so that appending does not copy the bytes.
    partial = nil
    whole.bytes += bytes
    guard whole.bytes.count <= (1 << 20) + 4 * size.width * size.height else {
      throw ProtocolError("a thumbnail that is too long")
    }
    guard isLast else {
      partial = whole
      return nil
    }
    guard MediaFormat(whole.spec.format).canStart(with: whole.bytes) else {
      throw ProtocolError("a thumbnail that is no \(whole.spec.format.rawValue)")
    }
    whole.hashes = hashes
    return whole
  }
}

extension ItemLimits {
  /// Those of a published file, which was within the limits of its manifest; memory and time are limited anyway.
  package static var ofPublished: ItemLimits {
    var limits = ItemLimits()
    (limits.bytes, limits.pixels, limits.frames) = (.max, .max, .max)
    return limits
  }
}
