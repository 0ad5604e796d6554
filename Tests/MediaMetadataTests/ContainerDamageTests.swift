import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Damage of every kind that a length can have: no crash, no hang, and nothing is accepted that
/// does not decode.
@Suite(
  "Damaged pictures of other formats",
  .serialized,
  .enabled(if: Corpus.folder != nil && Tool.exists("convert"), "no corpus or no ImageMagick")
)
struct ContainerDamageTests {
  /// Small files of each kind, made by ImageMagick once for all tests.
  private static let smallFiles: Result<[(name: String, bytes: [UInt8])], any Error> = Result {
    let folder = TemporaryFolder()
    return try ContainerCorpusTests.makeAll(into: folder, size: "6x5!").compactMap { path in
      let bytes = try readBytes(path)
      let name = URL(fileURLWithPath: path).lastPathComponent
      return bytes.count < 3000 ? (name, bytes) : nil
    }
  }

  /// All of the first part, where the numbers are, and some of the rest.
  static func offsets(_ length: Int) -> [Int] {
    Array(0..<min(length, 64)) + Array(stride(from: 64, to: length, by: max(1, length / 64)))
  }

  @Test("Every cut, and every number set to 0, 1 and its maximum, ends")
  func everyNumber() throws {
    let files = try Self.smallFiles.get()
    #expect(files.count >= Amount.of(20, all: 30))
    // Without all, each file has a fifth of the places, another fifth in turn.
    let step = Amount.of(5, all: 1)
    for (number, (_, bytes)) in files.enumerated() {
      for (index, offset) in Self.offsets(bytes.count).enumerated()
      where (index + number) % step == 0 {
        HostileInputTests.useAll(Array(bytes[..<offset]))
        for width in [1, 2, 4] where offset + width <= bytes.count {
          for value in [UInt8(0), 0xFF] {
            var changed = bytes
            for position in offset..<(offset + width) { changed[position] = value }
            HostileInputTests.useAll(changed)
          }
          for position in [offset, offset + width - 1] {
            var changed = bytes
            for other in offset..<(offset + width) { changed[other] = other == position ? 1 : 0 }
            HostileInputTests.useAll(changed)
          }
        }
      }
    }
  }

  @Test("A file that is cut is refused, or decodes")
  func cutFilesDecode() throws {
    let folder = TemporaryFolder()
    var accepted: [(name: String, path: String)] = []
    // Without all, each file has a third of the cuts, another third in turn.
    let step = Amount.of(3, all: 1)
    for (number, (name, bytes)) in try Self.smallFiles.get().enumerated() {
      for (index, length) in HostileInputTests.cuts(bytes.count).enumerated()
      where (index + number) % step == 0 {
        let cut = Array(bytes[..<length])
        guard let format = format(of: cut), let (output, _) = try? strip(cut, format) else {
          continue
        }
        let path = "\(folder.path)/\(accepted.count).\(format.fileExtension)"
        try Data(output).write(to: URL(fileURLWithPath: path))
        accepted.append(("\(name) cut at \(length) of \(bytes.count)", path))
      }
    }
    // What was cut behind its last picture is whole.
    func expectDecoded(_ files: ArraySlice<(name: String, path: String)>) throws {
      let arguments = ["-regard-warnings", "-format", "%m %#\n"]
      let result = try Tool.run("identify", arguments + files.map(\.path))
      let lines = result.output.split(separator: "\n")
      // A picture of several frames has several lines.
      if result.status == 0, result.error.isEmpty, lines.count >= files.count { return }
      guard files.count > 1 else {
        #expect(result.status == 0 && !lines.isEmpty, "\(files.first?.name ?? "")")
        return
      }
      let middle = (files.startIndex + files.endIndex) / 2
      try expectDecoded(files[..<middle])
      try expectDecoded(files[middle...])
    }
    for first in stride(from: 0, to: accepted.count, by: 64) {
      try expectDecoded(accepted[first..<min(accepted.count, first + 64)])
    }
  }
}
