package import MediaModel

/// A part of the work on one page of a contact sheet, sent with a read-only descriptor of a thumbnail,
/// or of `/dev/null`.
///
/// A worker has one page. A cell is answered by `done`, or by `failed` when its picture cannot be drawn; the
/// end is answered by `thumbnail`… with the name ``resultName``, then `done`.
package struct SheetJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 4
  /// The name of the page in the answer.
  package static let resultName = "page"

  /// The part of the work.
  package enum Part: Sendable, Hashable {
    /// Draws a picture and its label; the label alone for an empty file.
    case cell(ContactSheetCell)
    /// Encodes the page; quality 1 to 100.
    case end(quality: Int)
  }

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The page's size in pixels, the same in all parts.
  package var pageSize: PixelSize
  /// The color of the page, the same in all parts.
  package var background: RGBColor
  package var part: Part

  /// Makes a part.
  package init(identifier: UInt64, pageSize: PixelSize, background: RGBColor, part: Part) {
    self.identifier = identifier
    self.pageSize = pageSize
    self.background = background
    self.part = part
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(pageSize)
    writer.put(background)
    switch part {
    case .cell(let cell):
      writer.put(UInt8(0))
      writer.put(UInt32(clamping: cell.left))
      writer.put(UInt32(clamping: cell.top))
      writer.put(cell.size)
      writer.put(cell.label)
      writer.put(UInt32(clamping: cell.labelSize))
    case .end(let quality):
      writer.put(UInt8(1))
      writer.put(UInt8(clamping: quality))
    }
  }

  /// Reads a part.
  ///
  /// - Throws: ``ProtocolError`` for anything that ``put(into:)`` does not write, and for a cell that is not on
  ///   its page.
  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    pageSize = try reader.size()
    background = try reader.color()
    switch try reader.integer(UInt8.self) {
    case 0:
      let cell = ContactSheetCell(
        left: Int(try reader.integer(UInt32.self)),
        top: Int(try reader.integer(UInt32.self)),
        size: try reader.size(),
        label: try reader.text(limit: 4096),
        labelSize: Int(try reader.integer(UInt32.self))
      )
      guard cell.left + cell.size.width <= pageSize.width,
        cell.top + cell.size.height <= pageSize.height, cell.labelSize <= 1000
      else { throw ProtocolError("a cell that is not on its page") }
      part = .cell(cell)
    case 1:
      let quality = Int(try reader.integer(UInt8.self))
      guard (1...100).contains(quality) else { throw ProtocolError("a quality of \(quality)") }
      part = .end(quality: quality)
    default: throw ProtocolError("an unknown part of a page")
    }
  }
}
