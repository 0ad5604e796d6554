/// Which camera a manifest means.
package enum CameraSelection: Sendable, Hashable {
  /// The only one that is connected.
  case any
  /// That with this serial number.
  case serial(String)
  /// That of a maker and a model, by the numbers that `lsusb` shows.
  case model(vendor: UInt16, product: UInt16)

  /// What a person is told of the words that ``init(_:)`` reads.
  package static let allowed =
    "write \"usb:\" for the only camera that is connected, \"usb:04a9:32da\" by the numbers that lsusb shows, or "
    + "\"usb:\" and its serial number"

  /// Reads `usb:`, `usb:04a9:32da` or `usb:SERIAL`; nil for anything else.
  package init?(_ text: String) {
    guard text.hasPrefix("usb:") else { return nil }
    let words = text.dropFirst(4)
    let parts = words.split(separator: ":", omittingEmptySubsequences: false)
    if words.isEmpty {
      self = .any
    } else if parts.count == 2, parts.allSatisfy({ $0.count == 4 }),
      let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
    {
      self = .model(vendor: vendor, product: product)
    } else if words.utf8.count <= 128, !words.contains("/") {
      self = .serial(String(words))
    } else {
      return nil
    }
  }
}
