import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Cropped and turned HEIF")
struct HEIFTransformationTests {
  typealias F = HEIFFixture

  struct Turn: Sendable, CustomTestStringConvertible {
    var quarters: Int
    var axis: Int?
    var isCropped: Bool
    var side: Int

    var testDescription: String {
      "irot \(quarters), imir \(axis.map(String.init) ?? "-"), clap \(isCropped), \(side)"
    }
  }

  private static let allTurns: [Turn] = (0..<4).flatMap { quarters in
    [nil, 0, 1].flatMap { axis in
      [false, true].flatMap { isCropped in
        [400, 60].map {
          Turn(quarters: quarters, axis: axis, isCropped: isCropped, side: $0)
        }
      }
    }
  }

  /// Each turn with each mirror, cropped or not and of one of two sides in turn; all for all.
  static let turns: [Turn] = {
    if Amount.isAll { return allTurns }
    let variants = [0, 2, 1, 3]
    return allTurns.enumerated().filter { $0.offset % 4 == variants[$0.offset / 4 % 4] }
      .map(\.element)
  }()

  private static let coded = Result {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 320, height: 200)
    return (bench, try bench.hevc("scene.png"))
  }

  @Test("clap, irot and imir, in every combination", arguments: turns)
  func turned(_ turn: Turn) throws {
    let (scene, coded) = try Self.coded.get()
    let bench = Bench()
    var properties: [[UInt8]] = []
    var arguments = [scene.path("scene.png")]
    if turn.isCropped {
      // 151x101 from 31, 20: (31 + 151/2 - 320/2) = -53.5 and (20 + 101/2 - 200/2) = -29.5.
      properties.append(F.clap(151, 101, halvesX: -107, halvesY: -59))
      arguments += ["-crop", "151x101+31+20", "+repage"]
    }
    if turn.quarters > 0 {
      properties.append(F.irot(turn.quarters))
      arguments += ["-rotate", "\(-90 * turn.quarters)"]
    }
    if let axis = turn.axis {
      properties.append(F.imir(axis))
      arguments.append(axis == 0 ? "-flip" : "-flop")
    }
    if turn.side < 100 {
      arguments += ["-filter", "Lanczos", "-resize", "\(turn.side)x\(turn.side)"]
    }
    try bench.convert(arguments + ["reference.png"])
    var item = coded.item()
    item.properties += properties
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: F(items: [item]).bytes,
      format: .heic,
      spec(turn.side, turn.side, quality: 98)
    )
    let thumbnail = try #require(thumbnails.first).bytes
    try bench.write(thumbnail, "thumbnail.jpg")
    let size = frame(thumbnail)?.prefix(2).map { "\($0)" }.joined(separator: " ")
    #expect(size == (try bench.identify("reference.png")))
    #expect(try bench.psnr("reference.png", "thumbnail.jpg") > (turn.side < 100 ? 24 : 27))
  }

  @Test("A turn is added to that of the file", arguments: [90, 180, 270])
  func rotated(degrees: Int) throws {
    let (_, coded) = try Self.coded.get()
    func thumbnails(_ properties: [[UInt8]], _ rotation: Int) throws -> [Thumbnail] {
      var item = coded.item()
      item.properties += properties
      let size = PixelSize(width: 80, height: 40)
      return try F(items: [item]).bytes.withUnsafeBytes {
        try ImageThumbnailer().thumbnails(
          of: $0,
          format: .heic,
          orientation: 1,
          rotation: rotation,
          specifications: [ThumbnailSpec(name: "t", size: size, contentMode: .aspectFit)]
        )
      }
    }
    // irot turns counterclockwise.
    let turned = [F.irot(4 - degrees / 90)]
    #expect(try thumbnails([], degrees) == thumbnails(turned, 0))
    #expect(try thumbnails(turned, 360 - degrees) == thumbnails([], 0))
  }

  @Test("A mirror before a turn is done in that order")
  func unusualOrder() throws {
    let (scene, coded) = try Self.coded.get()
    let bench = Bench()
    try bench.convert([scene.path("scene.png"), "-flop", "-rotate", "-90", "reference.png"])
    var item = coded.item()
    item.properties += [F.imir(1), F.irot(1)]
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: F(items: [item]).bytes,
      format: .heic,
      spec(400, 400, quality: 98)
    )
    try bench.write(try #require(thumbnails.first).bytes, "thumbnail.jpg")
    #expect(try bench.psnr("reference.png", "thumbnail.jpg") > 27)
  }
}
