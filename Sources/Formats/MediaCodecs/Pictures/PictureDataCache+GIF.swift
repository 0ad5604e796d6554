package import MediaContainers

/// The memory of a GIF picture's codes, and what they are read as.
struct GIFPictureKey: Hashable {
  var address: UInt
  var count: Int
  var codeSize: Int
  var pixelCount: Int

  /// Makes the key of a picture; nil when its codes lie in several pieces.
  init?(_ image: GIFImage, in source: ByteSource) {
    let run = source.withRun(from: image.data.lowerBound) { $0 }
    guard let base = run.baseAddress, run.count >= image.data.count else { return nil }
    (address, count) = (UInt(bitPattern: base), image.data.count)
    (codeSize, pixelCount) = (image.codeSize, image.pixelCount)
  }
}

/// The indices of a picture's pixels.
struct GIFIndices {
  var key: GIFPictureKey
  var memory: PictureMemory
}

/// The facts that the codes of a GIF's picture tell beside its pixels.
package struct GIFReading {
  /// Whether each color of the table is used by the picture.
  package let usedColors: [Bool]
  /// The offset of the sub-block in which the last code ends, from the first sub-block.
  package let lastBlock: Int
  /// The number of bytes of that sub-block that belong to the picture; decoders ignore the rest.
  package let lastBlockLength: Int

  /// Returns whether the picture's data end with its last code and a block of no length.
  package func endsWhole(_ image: GIFImage, in source: ByteSource) -> Bool {
    let start = image.data.lowerBound + lastBlock
    return source.uint8(at: start) == lastBlockLength
      && start + 1 + lastBlockLength + 1 == image.data.upperBound
  }
}

extension PictureDataCache {
  /// The readings that are kept, of some 300 bytes each.
  private static let maximumReadings = 10_000

  /// Reads the codes of a picture as a decoder would.
  ///
  /// - Throws: `damaged` for an undefined code, or fewer pixels than the picture has.
  package func reading(
    of image: GIFImage,
    in source: ByteSource
  ) throws(MetadataError) -> GIFReading {
    let key = GIFPictureKey(image, in: source)
    if let key, let cached = readings[key] { return cached.reading }
    let wantsPixels = keepsPixels && indices == nil && image.pixelCount <= Self.maximumLength
    let memory = wantsPixels ? PictureMemory(image.pixelCount) : nil
    let output = memory?.bytes.bindMemory(to: UInt8.self).baseAddress
    guard codes.read(image, of: source, into: output) else {
      throw MetadataError(.damaged, "LZW codes that are none")
    }
    guard codes.pixelCount == image.pixelCount else {
      throw MetadataError(.damaged, "an image with too few pixels")
    }
    let reading = GIFReading(
      usedColors: codes.usedColors,
      lastBlock: codes.lastBlock - image.data.lowerBound,
      lastBlockLength: codes.lastBlockLength
    )
    if let key {
      if readings.count < Self.maximumReadings { readings[key] = (reading, source) }
      if let memory { indices = GIFIndices(key: key, memory: memory) }
    }
    return reading
  }

  /// Returns the indices of a picture's pixels, row by row as stored, if they were kept; they are
  /// valid as long as the cache exists.
  package func indices(
    of image: GIFImage,
    in source: ByteSource
  ) -> UnsafeMutablePointer<UInt8>? {
    guard let indices, indices.key == GIFPictureKey(image, in: source) else { return nil }
    return indices.memory.bytes.bindMemory(to: UInt8.self).baseAddress
  }
}
