import Foundation
import MediaTestSupport

/// Writes HEIF files box by box, of pictures that FFmpeg has coded.
///
/// Source: ISO/IEC 14496-12 section 8.11; ISO/IEC 23008-12; ISO/IEC 14496-15 section 8.3.3.
struct HEIFFixture {
  struct Item {
    var type: String
    var data: [UInt8] = []
    var properties: [[UInt8]] = []
  }

  /// The first is the primary one; identifiers are 1 and up.
  var items: [Item]
  /// From an item's identifier to others.
  var references: [(type: String, from: Int, to: [Int])] = []
  var brand = "heic"
  /// What `iloc` says after its flags, instead of one place for each item; told the places and
  /// lengths, it must be of one length whatever they are.
  var locations: (([(offset: Int, length: Int)]) -> [UInt8])?

  /// One coded picture: its bytes, and the properties that belong to it.
  struct Coded {
    var type: String
    var data: [UInt8]
    var configuration: [UInt8]
    var width: Int
    var height: Int

    func item(_ properties: [UInt8]...) -> Item {
      Item(
        type: type,
        data: data,
        properties: [configuration, HEIFFixture.ispe(width, height)] + properties
      )
    }
  }

  var bytes: [UInt8] {
    var offsets: [Int] = []
    func file(_ start: Int) -> [UInt8] {
      var properties: [[UInt8]] = []
      var associations = big(items.count, 4)
      for (index, item) in items.enumerated() {
        associations += big(index + 1, 2) + [UInt8(item.properties.count)]
        for property in item.properties {
          properties.append(property)
          associations += big(properties.count | 0x8000, 2)
        }
      }
      var offset = start
      offsets = []
      for item in items {
        offsets.append(offset)
        offset += item.data.count
      }
      let extents = items.indices.map { (offset: offsets[$0], length: items[$0].data.count) }
      let iloc =
        locations?(extents)
        ?? [0x44, 0x00] + big(items.count, 2)
        + extents.enumerated().flatMap { index, extent in
          big(index + 1, 2) + big(0, 2) + big(1, 2) + big(extent.offset, 4)
            + big(extent.length, 4)
        }
      let iinf = items.enumerated().flatMap { index, item in
        isoFullBox("infe", version: 2, big(index + 1, 2) + [0, 0] + Self.text(item.type) + [0])
      }
      let iref = references.flatMap { reference in
        isoBox(
          reference.type,
          big(reference.from, 2) + big(reference.to.count, 2)
            + reference.to.flatMap { big($0, 2) }
        )
      }
      var meta = isoFullBox("hdlr", big(0, 4) + Self.text("pict") + [UInt8](repeating: 0, count: 13))
      meta += isoFullBox("pitm", big(1, 2))
      meta += isoFullBox("iloc", iloc)
      meta += isoFullBox("iinf", big(items.count, 2) + iinf)
      if !iref.isEmpty { meta += isoFullBox("iref", iref) }
      meta += isoBox(
        "iprp",
        isoBox("ipco", properties.flatMap { $0 })
          + isoFullBox("ipma", flags: 1, associations)
      )
      let brands = Self.text(brand) + big(0, 4) + Self.text("mif1") + Self.text(brand)
      return isoBox("ftyp", brands) + isoFullBox("meta", meta)
    }
    let head = file(0)
    return file(head.count + 8) + isoBox("mdat", items.flatMap(\.data))
  }

  /// A picture of parts of one size.
  static func grid(
    _ width: Int,
    _ height: Int,
    columns: Int,
    rows: Int,
    _ properties: [UInt8]...
  ) -> Item {
    Item(
      type: "grid",
      data: [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + big(width, 4) + big(height, 4),
      properties: [ispe(width, height)] + properties
    )
  }

  static func ispe(_ width: Int, _ height: Int) -> [UInt8] {
    isoFullBox("ispe", big(width, 4) + big(height, 4))
  }

  /// Turns by 90° against the clock.
  static func irot(_ quarters: Int) -> [UInt8] { isoBox("irot", [UInt8(quarters)]) }

  /// 0 swaps top and bottom, 1 left and right.
  static func imir(_ axis: Int) -> [UInt8] { isoBox("imir", [UInt8(axis)]) }

  /// A rectangle, its center moved from the picture's by a number of halves.
  static func clap(_ width: Int, _ height: Int, halvesX: Int, halvesY: Int) -> [UInt8] {
    isoBox("clap", [width, 1, height, 1, halvesX, 2, halvesY, 2].flatMap { big($0, 4) })
  }

  static func nclx(_ primaries: Int, _ transfer: Int, _ matrix: Int, full: Bool) -> [UInt8] {
    isoBox("colr", text("nclx") + big(primaries, 2) + big(transfer, 2) + big(matrix, 2) + [full ? 0x80 : 0])
  }

  static let alpha = isoFullBox("auxC", text("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha") + [0])

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension Bench {
  /// Codes a picture file in HEVC: FFmpeg's pixel format, x265's parameters that put colors into the
  /// bitstream, and the video filter that makes the matrix and the range.
  func hevc(
    _ picture: String,
    samples: String = "yuv420p",
    colors: String = "range=full:colormatrix=smpte170m",
    filter: String = "scale=out_color_matrix=smpte170m:out_range=full"
  ) throws -> HEIFFixture.Coded {
    let stream = try encode(
      picture,
      "\(picture).hevc",
      [
        "-vf", filter, "-pix_fmt", samples, "-c:v", "libx265", "-frames:v", "1", "-x265-params",
        "qp=6:log-level=none:keyint=1:info=0:\(colors)", "-f", "hevc",
      ]
    )
    var sets: [[UInt8]] = []
    var data: [UInt8] = []
    for unit in Self.units(of: stream) {
      if (32...34).contains(unit[0] >> 1 & 0x3F) {
        sets.append(unit)
      } else if unit[0] >> 1 & 0x3F < 32 {
        data += big(unit.count, 4) + unit
      }
    }
    // What stands before the parameter sets repeats what they say.
    var record: [UInt8] = [1]
    record += [UInt8](repeating: 0, count: 20)
    record += [3, UInt8(sets.count)]
    for set in sets {
      record.append(set[0] >> 1 & 0x3F)
      record += big(1, 2) + big(set.count, 2)
      record += set
    }
    let size = try size(of: picture)
    return HEIFFixture.Coded(
      type: "hvc1",
      data: data,
      configuration: isoBox("hvcC", record),
      width: size.width,
      height: size.height
    )
  }

  /// Codes a picture file in AV1.
  func av1(
    _ picture: String,
    samples: String = "yuv420p",
    filter: String = "scale=out_color_matrix=smpte170m:out_range=full",
    range: String = "pc"
  ) throws -> HEIFFixture.Coded {
    let stream = try encode(
      picture,
      "\(picture).obu",
      [
        "-vf", filter, "-pix_fmt", samples, "-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "4",
        "-frames:v", "1", "-color_range", range, "-colorspace", "smpte170m", "-f", "obu",
      ]
    )
    let size = try size(of: picture)
    return HEIFFixture.Coded(
      type: "av01",
      data: stream,
      configuration: isoBox("av1C", [0x81, 0x20, 0, 0]),
      width: size.width,
      height: size.height
    )
  }

  private func encode(
    _ picture: String,
    _ output: String,
    _ arguments: [String]
  ) throws -> [UInt8] {
    let all = ["-hide_banner", "-loglevel", "error", "-y", "-i", picture] + arguments + [output]
    let result = try Tool.run("ffmpeg", all, in: folder.path)
    guard result.status == 0 else { throw Complaint(text: result.error) }
    return try readBytes(path(output))
  }

  private func size(of picture: String) throws -> (width: Int, height: Int) {
    let numbers = try identify(picture).split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 2 else { throw Complaint(text: "no size of \(picture)") }
    return (numbers[0], numbers[1])
  }

  /// What stands between start codes.
  private static func units(of stream: [UInt8]) -> [[UInt8]] {
    var starts: [(code: Int, unit: Int)] = []
    var index = 0
    while index + 2 < stream.count {
      if stream[index] == 0, stream[index + 1] == 0, stream[index + 2] == 1 {
        starts.append((index, index + 3))
        index += 3
      } else {
        index += 1
      }
    }
    return starts.indices.map { number in
      var end = number + 1 < starts.count ? starts[number + 1].code : stream.count
      while end > starts[number].unit, number + 1 < starts.count, stream[end - 1] == 0 { end -= 1 }
      return Array(stream[starts[number].unit..<end])
    }
  }
}
