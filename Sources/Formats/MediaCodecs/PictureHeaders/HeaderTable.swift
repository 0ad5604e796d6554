import MediaContainers
import MediaModel

/// The fields that a header has at fixed offsets, and the values that each may have.
struct HeaderTable: Sendable {
  /// A number without a sign.
  struct Field: Sendable {
    /// What the format's specification calls it.
    let name: String
    /// The offset from the start of the header, and the number of bytes, at most 8.
    let offset, width: Int
    /// The allowed values; all where there is none.
    let bounds: [ClosedRange<Int>]

    init(_ name: String, _ offset: Int, _ width: Int, _ bounds: ClosedRange<Int>...) {
      (self.name, self.offset, self.width, self.bounds) = (name, offset, width, bounds)
    }
  }

  /// The values of a header, each within its bounds, by the name of the field.
  struct Values {
    fileprivate var values: [String: Int] = [:]

    subscript(name: String) -> Int { values[name] ?? 0 }

    /// The size that two fields state.
    func size(_ width: String, _ height: String) -> PixelSize {
      PixelSize(width: self[width], height: self[height])
    }
  }

  let order: ByteOrder
  let fields: [Field]

  static func big(_ fields: [Field]) -> Self { HeaderTable(order: .big, fields: fields) }
  static func little(_ fields: [Field]) -> Self { HeaderTable(order: .little, fields: fields) }

  /// Reads the header at `start`; nil where a field is not in the source, or beyond its bounds.
  func read(_ source: ByteSource, at start: Int = 0) -> Values? {
    var values = Values()
    for field in fields {
      guard let value = source.number(at: start + field.offset, count: field.width, order: order),
        field.bounds.isEmpty || field.bounds.contains(where: { $0.contains(value) })
      else { return nil }
      values.values[field.name] = value
    }
    return values
  }
}
