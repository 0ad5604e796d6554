/// Sizes as a person reads them.
package enum ByteCount {
  /// `812 bytes`, `4.2 MB`: powers of 1000, one digit behind the point.
  package static func text(_ bytes: Int64) -> String {
    guard bytes >= 1000 else { return "\(max(0, bytes)) bytes" }
    var unit = 0
    var size = Double(bytes) / 1000
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    // Rounded as it is shown, so that no 1000.0 kB is.
    while size >= 999.95, unit < units.count - 1 {
      size /= 1000
      unit += 1
    }
    let tenths = Int((size * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
