import MediaContainers
import MediaModel

/// The named values of a meta box with the handler `mdta`.
///
/// Source: Apple, QuickTime File Format, Metadata; key names in AVFoundation's `AVMetadataKey`.
struct QuickTimeMetadata {
  private static let maximumKeys = 4096
  private static let maximumValueLength = 4096

  private(set) var contentIdentifier: String?
  private(set) var creationDate: CaptureDate?
  /// The names of the device.
  private(set) var values = KeptMetadata()

  init(of source: ByteSource, in meta: Range<Int>) {
    // QuickTime's meta is a plain atom; that of MPEG-4 has four bytes of version and flags before
    // its boxes.
    let isPlain = source.code(at: meta.lowerBound + 4) == "hdlr"
    let boxes = isPlain ? meta : meta.dropFirst(4)
    guard let keysBox = ISOBoxes.first("keys", in: boxes, of: source)?.body,
      let list = ISOBoxes.first("ilst", in: boxes, of: source)?.body
    else { return }
    var keys: [Int: String] = [:]
    for (index, box) in ISOBoxes(source, in: keysBox.dropFirst(8)).prefix(Self.maximumKeys)
      .enumerated() where box.type == "mdta"
    {
      guard let name = source.bytes(in: box.body, limit: 128) else { continue }
      keys[index + 1] = String(decoding: name, as: UTF8.self)
    }
    for item in ISOBoxes(source, in: list) {
      guard let key = keys[Int(item.type.value)],
        let data = ISOBoxes.first("data", in: item.body, of: source)?.body, data.count > 8,
        let value = source.bytes(in: data.dropFirst(8), limit: Self.maximumValueLength)
      else { continue }
      take(key, value)
    }
  }

  private enum Key: String {
    case contentIdentifier = "com.apple.quicktime.content.identifier"
    case creationDate = "com.apple.quicktime.creationdate"
  }

  private mutating func take(_ key: String, _ value: [UInt8]) {
    switch Key(rawValue: key) {
    case .contentIdentifier:
      contentIdentifier = contentIdentifier ?? ContentIdentifier.checked(value)
    case .creationDate:
      guard creationDate == nil, let local = DateText.local(exif: value) else { return }
      creationDate = CaptureDate(
        local: local,
        offsetMinutes: DateText.offsetMinutes(value[19...]),
        tag: key
      )
    case nil:
      if case .device(let name) = MovieValue.keys[key] { values.take(name, MetadataText.name(value)) }
    }
  }
}
