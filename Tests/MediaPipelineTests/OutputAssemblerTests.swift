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

  private func assembler(_ source: [UInt8], _ fileName: String = "output") throws -> OutputAssembler {
    try Data(source).write(to: URL(fileURLWithPath: scratch.path + "/source"))
    let folder = try FileSystem.openFolder(bytes(scratch.path))
    let file = try FileSystem.openForReading(beneath: folder, bytes("source"), crossMounts: true)
    return try OutputAssembler(
      source: file,
      length: UInt64(source.count),
      folder: folder,
      fileName: fileName
    )
  }

  private func digest(of fileName: String) throws -> String {
    String(try Tool.run("sha256sum", [scratch.path + "/" + fileName]).output.prefix(64))
  }

  private func work(_ assembler: OutputAssembler, _ hashing: OutputHashing) throws -> Bool {
    while assembler.hasWork {
      if try !assembler.work(through: hashing) { return false }
    }
    return true
  }

  @Test(
    "The output is what the operations say, and its digest what sha256sum says, in pieces of any size",
    arguments: [1, 3, 1000]
  )
  func output(_ room: Int) throws {
    let source = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let hashing = OutputHashing(pieceLength: room)
    let assembler = try assembler(source)
    let first: [EditOperation] = [
      .literal([0xFF, 0xD8, 0xFF]), .copy(offset: 10, length: 1), .copy(offset: 11, length: 500),
    ]
    let second: [EditOperation] = [.literal([]), .copy(offset: 1999, length: 1), .literal([1, 2])]
    try assembler.append(first)
    #expect(try work(assembler, hashing))
    #expect(!assembler.isComplete)
    try assembler.append(second)
    try assembler.close()
    #expect(try work(assembler, hashing))
    #expect(assembler.isComplete)
    let expected = [0xFF, 0xD8, 0xFF] + source[10..<511] + [source[1999], 1, 2]
    #expect(try readBytes(scratch.path + "/output") == expected)
    #expect(assembler.bytes == Int64(expected.count))
    #expect(try assembler.finish(format: .jpeg, hashing).map(Hexadecimal.text) == digest(of: "output"))
  }

  @Test(
    "Frames of DV are masked from their start, in pieces of any size",
    arguments: [1_000, 4_096, 100_000]
  )
  func masked(_ room: Int) throws {
    let mask = try #require(DIFMask(is50: false, channelCount: 1, is720: false, hasSound: false, foreign: []))
    let source = (0..<(2 * mask.frameLength + 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let assembler = try assembler(source)
    let length = UInt64(2 * mask.frameLength)
    try assembler.append([
      .copy(offset: 0, length: 13), .masked(offset: 13, length: length, mask: mask),
      .copy(offset: 13 + length, length: 7),
    ])
    try assembler.close()
    let hashing = OutputHashing(pieceLength: room)
    #expect(try work(assembler, hashing))
    var expected = source
    expected.withUnsafeMutableBytes { bytes in
      mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[13..<(13 + Int(length))]), at: 0)
    }
    #expect(try readBytes(scratch.path + "/output") == expected && expected != source)
    #expect(try Hexadecimal.text(assembler.finish(hashing)) == digest(of: "output"))
  }

  @Test(
    "Outputs that take turns have the digests that sha256sum says, also beside one that was given up",
    arguments: [1, 64, 4_096, 1 << 18]
  )
  func turns(_ room: Int) throws {
    let hashing = OutputHashing(pieceLength: room)
    let source = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &>> 3) }
    let lengths: [UInt64] = [9_000, 64, 4_160, 1, 8_999]
    let outputs = try lengths.indices.map { try assembler(source, "output-\($0)") }
    for (number, (output, length)) in zip(outputs, lengths).enumerated() {
      let literal = Array(repeating: UInt8(number), count: 70 * number)
      try output.append([.literal(literal), .copy(offset: 0, length: length)])
      try output.close()
    }
    _ = try outputs[0].work(through: hashing)
    // Of the first one no more is written, as when its item fails.
    while outputs.dropFirst().contains(where: \.hasWork) {
      for output in outputs.dropFirst() { #expect(try output.work(through: hashing)) }
    }
    for number in outputs.indices.dropFirst() {
      let expected = Array(repeating: UInt8(number), count: 70 * number) + source.prefix(Int(lengths[number]))
      #expect(try readBytes(scratch.path + "/output-\(number)") == expected)
      #expect(try Hexadecimal.text(outputs[number].finish(hashing)) == digest(of: "output-\(number)"))
    }
  }

  @Test("A hole of the source stays one, and is hashed beside another output", arguments: [4_096, 1 << 18])
  func holes(_ room: Int) throws {
    let length = 5 << 20
    let hashing = OutputHashing(pieceLength: room)
    let path = scratch.path + "/source"
    try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: path))
    #expect(truncate(path, off_t(length - 1)) == 0)
    let end = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try end.seekToEnd()
    try end.write(contentsOf: Data([1]))
    try end.close()
    let folder = try FileSystem.openFolder(bytes(scratch.path))
    let file = try FileSystem.openForReading(beneath: folder, bytes("source"), crossMounts: true)
    let names = ["sparse", "literal"]
    let outputs = try names.map {
      try OutputAssembler(source: file, length: UInt64(length), folder: folder, fileName: $0)
    }
    try outputs[0].append([.literal([1, 2, 3]), .copy(offset: 0, length: UInt64(length))])
    try outputs[1].append([.literal(Array(repeating: 9, count: 300_000)), .copy(offset: 50, length: 100)])
    while outputs.contains(where: \.hasWork) {
      for output in outputs { #expect(try output.work(through: hashing)) }
    }
    for (name, output) in zip(names, outputs) {
      #expect(try Hexadecimal.text(output.finish(hashing)) == digest(of: name))
    }
    let content = try readBytes(scratch.path + "/source")
    #expect(try readBytes(scratch.path + "/sparse") == [1, 2, 3] + content)
    let status = try FileSystem.status(in: folder, name: bytes("sparse"))
    #expect(status.storedBytes < 2 << 20)
  }

  @Test("A source that is shorter than it was is noticed")
  func shorter() throws {
    let assembler = try assembler(Array(repeating: 1, count: 100))
    try assembler.append([.copy(offset: 0, length: 100)])
    try Data(count: 99).write(to: URL(fileURLWithPath: scratch.path + "/source"))
    #expect(try !work(assembler, OutputHashing()))
  }

  @Test("What comes after the end, a second end, and a range that goes back are breaches")
  func breaches() throws {
    let assembler = try assembler(Array(repeating: 1, count: 100))
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
    let assembler = try assembler([])
    try assembler.append([.literal(bytes("#!/bin/sh\necho this is no medium"))])
    try assembler.close()
    let hashing = OutputHashing()
    #expect(try work(assembler, hashing))
    // MP3, and AAC without a container, have no fixed start.
    #expect((assembler.finish(format: format, hashing) == nil) == ![.mp3, .aac].contains(format))
  }

  @Test("A file that is there already is not written over")
  func existing() throws {
    _ = try assembler([1])
    #expect(throws: FileSystemError.self) { _ = try assembler([1]) }
  }
}
