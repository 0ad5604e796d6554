import Foundation
import MediaTestSupport
import Testing

/// HEIC files whose picture is a grid of grids.
///
/// Each level shows the next one four times over and crops it to the same size, so that no size that
/// is written anywhere grows while the work does: 4 to the power of the depth.
///
/// Source: ISO/IEC 23008-12, 6.6.2.3.1 (image grid); ISO/IEC 14496-12, 8.11 (meta boxes).
enum NestedGrids {
  /// How the grids refer to each other.
  enum Shape {
    /// Each to the next, the last to a picture.
    case chain(depth: Int)
    /// The first to itself.
    case loop
  }

  /// A file of such grids around an HEIC file of one plain picture, 64 by 64, as an encoder writes it.
  static func file(_ shape: Shape, around picture: [UInt8]) throws -> [UInt8] {
    let configuration = try #require(box("hvcC", in: picture), "no hvcC")
    let media = try #require(box("mdat", in: picture)?.dropFirst(8), "no mdat")
    let depth =
      switch shape {
      case .chain(let depth): depth
      case .loop: 1
      }
    let pictureItem = depth + 1
    let grid: [UInt8] = [0, 0, 1, 1, 0, 64, 0, 64]

    var entries: [UInt8] = []
    var references: [UInt8] = []
    var associations: [UInt8] = []
    for item in 1...depth {
      entries += isoFullBox("infe", version: 2, big(item, 2) + [0, 0] + Array("grid".utf8) + [0])
      let next =
        switch shape {
        case .chain: item + 1
        case .loop: item
        }
      let targets = (0..<4).flatMap { _ in big(next, 2) }
      references += isoBox("dimg", big(item, 2) + [0, 4] + targets)
      associations += big(item, 2) + [1, 1]
    }
    entries += isoFullBox("infe", version: 2, big(pictureItem, 2) + [0, 0] + Array("hvc1".utf8) + [0])
    associations += big(pictureItem, 2) + [2, 1, 0x82]

    let type = isoBox("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
    func meta(mediaOffset: Int) -> [UInt8] {
      // The grids stand in idat, each at the same place; the picture in mdat.
      var places: [UInt8] = [0x44, 0x00] + big(depth + 1, 2)
      for item in 1...depth {
        places += big(item, 2) + [0, 1, 0, 0, 0, 1] + big(0) + big(grid.count)
      }
      places += big(pictureItem, 2) + [0, 0, 0, 0, 0, 1]
      places += big(mediaOffset) + big(media.count)
      let size = isoFullBox("ispe", big(64) + big(64))
      let handler = [UInt8](repeating: 0, count: 4) + Array("pict".utf8)
      return isoFullBox(
        "meta",
        isoFullBox("hdlr", handler + [UInt8](repeating: 0, count: 13))
          + isoFullBox("pitm", big(1, 2))
          + isoFullBox("iloc", version: 1, places)
          + isoFullBox("iinf", big(depth + 1, 2) + entries)
          + isoFullBox("iref", references)
          + isoBox(
            "iprp",
            isoBox("ipco", size + configuration)
              + isoFullBox("ipma", big(depth + 1) + associations)
          )
          + isoBox("idat", grid)
      )
    }
    let offset = type.count + meta(mediaOffset: 0).count + 8
    return type + meta(mediaOffset: offset) + isoBox("mdat", Array(media))
  }

  /// The first box of a type, wherever it stands, with its header.
  private static func box(_ type: String, in bytes: [UInt8]) -> [UInt8]? {
    let name = Array(type.utf8)
    guard
      let offset = (4..<(bytes.count - 4)).first(where: { Array(bytes[$0..<($0 + 4)]) == name })
    else { return nil }
    let length = bytes[(offset - 4)..<offset].reduce(0) { $0 << 8 | Int($1) }
    let end = length == 0 ? bytes.count : offset - 4 + length
    return end <= bytes.count ? Array(bytes[(offset - 4)..<end]) : nil
  }
}
