import Foundation
import MediaFileSystem
import MediaLibrary
import MediaModel
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaPipeline

@Suite("Assembling an output")
struct OutputAssemblerTests {
  private let scratch = TemporaryFolder()

  private func assembler(_ source: [UInt8]) throws -> OutputAssembler {
    try Data(source).write(to: URL(fileURLWithPath: scratch.path + "/source"))
    let folder = try FileSystem.openFolder(bytes(scratch.path))
    let file = try FileSystem.openForReading(beneath: folder, bytes("source"), crossMounts: true)
    return try OutputAssembler(
      source: file,
      length: UInt64(source.count),
      folder: folder,
      fileName: "output"
    )
  }

  private func work(_ assembler: inout OutputAssembler, budget: Int, room: Int) throws -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer { buffer.deallocate() }
    while assembler.hasWork {
      if try !assembler.work(budget: budget, buffer: buffer) { return false }
    }
    return true
  }

  @Test(
    "The output is what the operations say, and its digest what sha256sum says, in pieces of any size",
    arguments: [1, 3, 1000],
    [1, 7, 100_000]
  )
  func output(_ room: Int, _ budget: Int) throws {
    let source = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var assembler = try assembler(source)
    let first: [EditOperation] = [
      .literal([0xFF, 0xD8, 0xFF]), .copy(offset: 10, length: 1), .copy(offset: 11, length: 500),
    ]
    let second: [EditOperation] = [.literal([]), .copy(offset: 1999, length: 1), .literal([1, 2])]
    try assembler.append(first)
    #expect(try work(&assembler, budget: budget, room: room))
    #expect(!assembler.isComplete)
    try assembler.append(second)
    try assembler.close()
    #expect(try work(&assembler, budget: budget, room: room))
    #expect(assembler.isComplete)
    let expected = [0xFF, 0xD8, 0xFF] + source[10..<511] + [source[1999], 1, 2]
    #expect(try readBytes(scratch.path + "/output") == expected)
    #expect(assembler.bytes == Int64(expected.count))
    let digest = try Tool.run("sha256sum", [scratch.path + "/output"]).output.prefix(64)
    #expect(assembler.finish(format: .jpeg).map(Hexadecimal.text) == String(digest))
  }

  @Test(
    "Frames of DV are masked from their start, in pieces of any size",
    arguments: [1_000, 4_096, 100_000]
  )
  func masked(_ room: Int) throws {
    let mask = try #require(DIFMask(is50: false, channelCount: 1, is720: false, hasSound: false, foreign: []))
    let source = (0..<(2 * mask.frameLength + 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var assembler = try assembler(source)
    let length = UInt64(2 * mask.frameLength)
    try assembler.append([
      .copy(offset: 0, length: 13), .masked(offset: 13, length: length, mask: mask),
      .copy(offset: 13 + length, length: 7),
    ])
    try assembler.close()
    #expect(try work(&assembler, budget: 1 << 20, room: room))
    var expected = source
    expected.withUnsafeMutableBytes { bytes in
      mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[13..<(13 + Int(length))]), at: 0)
    }
    #expect(try readBytes(scratch.path + "/output") == expected && expected != source)
    let digest = try Tool.run("sha256sum", [scratch.path + "/output"]).output.prefix(64)
    #expect(Hexadecimal.text(assembler.finish()) == String(digest))
  }

  @Test("A source that is shorter than it was is noticed")
  func shorter() throws {
    var assembler = try assembler(Array(repeating: 1, count: 100))
    try assembler.append([.copy(offset: 0, length: 100)])
    try Data(count: 99).write(to: URL(fileURLWithPath: scratch.path + "/source"))
    #expect(try !work(&assembler, budget: 1000, room: 1000))
  }

  @Test("What comes after the end, a second end, and a range that goes back are breaches")
  func breaches() throws {
    var assembler = try assembler(Array(repeating: 1, count: 100))
    try assembler.append([.copy(offset: 50, length: 10)])
    #expect(throws: ProtocolError.self) { try assembler.append([.copy(offset: 59, length: 1)]) }
    try assembler.close()
    #expect(throws: ProtocolError.self) { try assembler.append([.literal([1])]) }
    #expect(throws: ProtocolError.self) { try assembler.close() }
  }

  @Test(
    "An output that does not start as its format does has no digest",
    arguments: MediaFormat.allCases
  )
  func magic(_ format: MediaFormat) throws {
    var assembler = try assembler([])
    try assembler.append([.literal(bytes("#!/bin/sh\necho this is no medium"))])
    try assembler.close()
    #expect(try work(&assembler, budget: 1000, room: 1000))
    // MP3, and AAC without a container, have no fixed start.
    #expect((assembler.finish(format: format) == nil) == ![.mp3, .aac].contains(format))
  }

  @Test("A file that is there already is not written over")
  func existing() throws {
    _ = try assembler([1])
    #expect(throws: FileSystemError.self) { _ = try assembler([1]) }
  }
}
