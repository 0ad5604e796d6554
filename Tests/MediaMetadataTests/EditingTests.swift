import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Edit lists are built, and outputs compared with allow-lists")
struct EditingTests {
  private func builder(_ length: Int) -> EditListBuilder { EditListBuilder(sourceLength: length) }

  // MARK: Edit lists

  @Test("Ranges that follow one another are one step, and so are literals; empty ones are none")
  func merged() throws {
    var edit = builder(100)
    try edit.copy(0..<10)
    try edit.copy(10..<20)
    try edit.copy(20..<20)
    try edit.copy(30..<40)
    try edit.literal([1])
    try edit.literal([])
    try edit.literal([2, 3])
    try edit.copy(40..<41)
    #expect(edit.outputLength == 34)
    #expect(
      edit.finish().operations == [
        .copy(offset: 0, length: 20), .copy(offset: 30, length: 10), .literal([1, 2, 3]),
        .copy(offset: 40, length: 1),
      ]
    )
  }

  @Test("A builder that lists has an entry for each part with a place, and builds nothing")
  func listed() throws {
    let options = StripOptions(except: [.caption])
    var edit = EditListBuilder(listing: MetadataListing(options: options, showsValues: true))
    #expect(!edit.edits)
    #expect(edit.options.except == [.caption])
    // Neither order nor length counts where nothing is built.
    try edit.copy(90..<100)
    try edit.copy(0..<10)
    try edit.literal([1, 2])
    edit.remove("unused colors")
    edit.remove("comment", at: 3..<5) { "text" }
    edit.remove("brands", at: 5..<6, path: "ftyp/brands")
    edit.show { $0.add("index", at: 6..<7, isRemoved: false) }
    edit.removeTrailer(from: 9, of: ByteSource([UInt8](repeating: 0, count: 9)))
    edit.removeTrailer(from: 8, of: ByteSource([UInt8](repeating: 0, count: 9)))
    let entries = edit.listing.entries
    #expect(entries.map(\.path) == ["comment", "ftyp/brands", "index", "trailer"])
    #expect(entries.map(\.offset) == [3, 5, 6, 8])
    #expect(entries.map(\.isRemoved) == [true, true, false, true])
    #expect(entries.first?.value == "text")
    let list = edit.finish()
    #expect(list.operations.isEmpty)
    #expect(list.removed.isEmpty)
  }

  @Test("A builder that edits counts the same parts by name, and shows nothing")
  func counted() {
    var edit = builder(100)
    edit.remove("comment", at: 3..<5) { "text" }
    edit.remove("brands", at: 5..<6, path: "ftyp/brands")
    edit.show { $0.add("index", at: 6..<7, isRemoved: true) }
    edit.removeTrailer(from: 8, of: ByteSource([UInt8](repeating: 0, count: 9)))
    #expect(edit.listing.entries.isEmpty)
    let list = edit.finish()
    #expect(list.removed.map(\.name) == ["comment", "brands", "trailer"])
    #expect(list.removedTags.reduce(0) { $0 + $1.count } == 3)
  }

  @Test("Parts are listed in the order of the file, and those of one place as they were found")
  func partsInOrder() {
    var parts = ListedParts()
    parts.add("last", at: 9..<10)
    parts.add(at: 2) { $0.add("first", at: 2..<4, isRemoved: false) }
    parts.add("second", at: 2..<3)
    var listing = MetadataListing(options: StripOptions(), showsValues: false)
    parts.list(into: &listing)
    #expect(listing.entries.map(\.path) == ["first", "second", "last"])
  }

  @Test("Random steps make the bytes that they say, whatever is merged")
  func randomSteps() throws {
    var random = SeededGenerator()
    let source = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for _ in 0..<50 {
      var edit = builder(source.count)
      var pieces = OutputPieces()
      var expected: [UInt8] = []
      var offset = 0
      while offset < source.count {
        let end = min(source.count, offset + Int(random.next() % 200))
        if random.chance(0.6) {
          expected += source[offset..<end]
          try edit.copy(offset..<end)
          withSource(source) { bytes in
            if random.chance(0.5) {
              pieces.copy(offset..<end)
            } else {
              pieces.bytes(of: offset..<end, in: bytes)
            }
          }
        } else {
          let bytes = (0..<Int(random.next() % 5)).map { _ in
            UInt8(truncatingIfNeeded: random.next())
          }
          expected += bytes
          try edit.literal(bytes)
          pieces.literal(bytes)
        }
        offset = end + Int(random.next() % 2)
      }
      #expect(edit.outputLength == expected.count && pieces.length == expected.count)
      #expect(apply(edit.finish(), to: source) == expected)
      #expect(try withSource(source) { try pieces.bytes(in: $0) } == expected)
      var written = builder(source.count)
      try pieces.write(to: &written)
      #expect(apply(written.finish(), to: source) == expected)
    }
  }

  @Test("A range that overlaps, goes back or lies beyond the source is damage")
  func order() throws {
    for range in [5..<15, 0..<1, 9..<11, 15..<21, 20..<21, 100..<200] {
      var edit = builder(20)
      try edit.copy(0..<10)
      #expect(code { try edit.copy(range) } == .damaged, "\(range)")
    }
    var edit = builder(20)
    try edit.copy(0..<10)
    try edit.literal([1])
    try edit.copy(10..<20)
    #expect(edit.finish().operations.count == 3)
  }

  @Test("A file may need only so many steps and literal bytes as its length allows")
  func limits() throws {
    let length = 6400
    var edit = builder(length)
    // Copies and literals alternate, so that none of them is merged.
    var steps = 0
    var refusal: MetadataError.Code?
    while refusal == nil, steps < 3000 {
      refusal = code {
        if steps.isMultiple(of: 2) {
          try edit.copy(steps..<(steps + 1))
        } else {
          try edit.literal([1])
        }
      }
      if refusal == nil { steps += 1 }
    }
    #expect(steps == 1000 + length / 64 && refusal == .overLimit)
    var literal = builder(length)
    try literal.literal([UInt8](repeating: 0, count: 1 << 20 + length / 4))
    #expect(code { try literal.literal([0]) } == .overLimit)
  }

  @Test("What is removed is counted by its name, tracks first, and later names are together")
  func removed() {
    var edit = builder(0)
    edit.remove(["b": 2, "text track": 1, "a": 1, "sound track": 3])
    edit.remove("b")
    edit.remove("a", count: 4)
    #expect(
      edit.finish().removed == [
        RemovedMetadata(name: "sound track", count: 3),
        RemovedMetadata(name: "text track", count: 1),
        RemovedMetadata(name: "a", count: 5), RemovedMetadata(name: "b", count: 3),
      ]
    )
    var many = builder(0)
    for index in 0..<100 { many.remove("name \(index)") }
    many.remove("name 0")
    let list = many.finish()
    #expect(list.removed.count == 33)
    #expect(list.removed.first == RemovedMetadata(name: "name 0", count: 2))
    #expect(list.removed.last == RemovedMetadata(name: "others", count: 68))
    // The receipt counts each value, whatever its name.
    #expect(list.removedTags.reduce(0) { $0 + $1.count } == 101)
  }

  @Test("A noted name is no removed value, and a list within another is moved and counted with it")
  func appended() throws {
    var inner = builder(10)
    try inner.copy(2..<4)
    try inner.literal([9])
    try inner.copy(6..<8)
    inner.remove("x", count: 2)
    inner.note("y")
    let list = inner.finish()
    #expect(list.removedTags.reduce(0) { $0 + $1.count } == 2)
    var edit = builder(100)
    try edit.copy(0..<52)
    edit.remove("x")
    try edit.append(list, movedBy: 50)
    let whole = edit.finish()
    #expect(
      whole.operations == [
        .copy(offset: 0, length: 54), .literal([9]), .copy(offset: 56, length: 2),
      ]
    )
    #expect(whole.removed == [RemovedMetadata(name: "x", count: 3), RemovedMetadata(name: "y", count: 1)])
    #expect(whole.removedTags.reduce(0) { $0 + $1.count } == 3)
  }

  @Test("Bytes at the start are replaced in the first literal alone, and never beyond it")
  func start() throws {
    for (bytes, offset, isReplaced) in [
      ([UInt8](repeating: 7, count: 2), 2, true), ([7, 7, 7], 2, false), ([7], 4, false),
    ] {
      var edit = builder(10)
      try edit.literal([0, 1, 2, 3])
      try edit.copy(0..<4)
      edit.replaceStart(at: offset, with: bytes)
      let list = edit.finish()
      #expect(list.operations[0] == .literal(isReplaced ? [0, 1, 7, 7] : [0, 1, 2, 3]))
      #expect(list.operations[1] == .copy(offset: 0, length: 4))
    }
  }

  @Test("A box has its own length ahead of it; one of more than 4 GiB is over the limit")
  func boxed() throws {
    var pieces = OutputPieces([1, 2])
    pieces.copy(0..<1)
    let box = try pieces.boxed("abcd", head: [9])
    let bytes = try withSource([5]) { try box.bytes(in: $0) }
    #expect(bytes == [0, 0, 0, 12] + Array("abcd".utf8) + [9, 1, 2, 5])
    pieces.skip(Int(UInt32.max) - 3 - 8)
    #expect(code { _ = try pieces.boxed("abcd") } == nil)
    pieces.skip(1)
    #expect(code { _ = try pieces.boxed("abcd") } == .overLimit)
    // What was only measured has no bytes.
    #expect(code { _ = try withSource([5]) { try pieces.bytes(in: $0) } } == .overLimit)
  }

  // MARK: Allow-lists

  private static let parts: [AllowList<String>.Part] = [
    .init("head", .rewritten, "", 4...4),
    .init("table", .copied, "", 0...64, step: 4, isRepeated: true),
    .init("kind", .copied, "", kinds: [1: 2...2, 3: 6...8]), .init("end", .copied, "", or: "stop"),
  ]

  @Test("A part may come next by its type, its length, its place and its number")
  func cursor() {
    func refusals(_ isOrdered: Bool, _ parts: [(String, Int, Int)]) -> [String?] {
      var cursor = PartCursor(AllowList(isOrdered: isOrdered, Self.parts))
      return parts.map { cursor.refusal(of: $0.0, length: $0.1, kind: $0.2) }
    }
    let good = [("head", 4, 0), ("table", 0, 0), ("table", 64, 0), ("kind", 7, 3), ("stop", 99, 0)]
    #expect(refusals(true, good) == [nil, nil, nil, nil, nil])
    #expect(refusals(true, [("end", 0, 0), ("stop", 0, 0)])[1] == "stop that is repeated or out of order")
    let late = [("end", 0, 0), ("head", 4, 0)]
    #expect(refusals(true, late) == [nil, "head that is repeated or out of order"])
    #expect(refusals(false, late) == [nil, nil])
    #expect(refusals(false, [("head", 4, 0), ("head", 4, 0)])[1] != nil)
    for (name, length, kind) in [
      ("head", 3, 0), ("head", 5, 0), ("table", 6, 0), ("table", 68, 0), ("kind", 2, 0),
      ("kind", 2, 3), ("kind", 9, 3), ("kind", 2, 2),
    ] {
      #expect(refusals(true, [(name, length, kind)]) == ["\(name) of another length"])
    }
    // A part that was refused does not count as read.
    #expect(refusals(true, [("head", 3, 0), ("head", 4, 0)]) == ["head of another length", nil])
    #expect(refusals(true, [("other", 0, 0)]) == ["other"])
  }

  /// Walks over an output of a head of four bytes, a table of eight and an end of two.
  private func walk(
    _ output: [UInt8],
    _ parts: [(String, Range<Int>)],
    expected: [String: [UInt8]] = ["head": [1, 2, 3, 4]],
    end: Int? = nil
  ) -> String? {
    withSource(output) { source -> String? in
      var walker = PartWalker(AllowList(Self.parts), source, expected: expected)
      do throws(MetadataError) {
        for (key, range) in parts { try walker.pass(key, at: range) }
        try walker.finish(at: end)
        return nil
      } catch {
        #expect(error.code == .residue)
        return error.detail
      }
    }
  }

  @Test("An output has its parts without a gap, and no byte behind the last")
  func walker() {
    let output: [UInt8] = [1, 2, 3, 4] + [UInt8](repeating: 9, count: 10)
    let parts = [("head", 0..<4), ("table", 4..<12), ("end", 12..<14)]
    #expect(walk(output, parts) == nil)
    #expect(walk(output + [0], parts) == "trailer")
    #expect(walk(output + [0], parts, end: 14) == nil)
    #expect(walk(output, [("head", 0..<4), ("table", 8..<12)]) == "bytes before table")
    #expect(walk(output, [("head", 0..<4), ("table", 0..<8)]) == "bytes before table")
    #expect(walk(output, Array(parts.dropLast())) == "trailer")
    #expect(walk(output, [("note", 0..<4)]) == "note")
  }

  @Test("A part that is not copied has exactly the bytes that were expected")
  func expectedContent() {
    let output: [UInt8] = [1, 2, 3, 4]
    let head = [("head", 0..<4)]
    #expect(walk(output, head) == nil)
    for wrong: [String: [UInt8]] in [
      [:], ["head": [1, 2, 3]], ["head": [1, 2, 3, 5]], ["head": [1, 2, 3, 4, 5]], ["head": []],
    ] {
      #expect(walk(output, head, expected: wrong) == "content of head", "\(wrong)")
    }
    withSource(output) { source in
      for isOwn in [true, false] {
        var walker = PartWalker(AllowList(Self.parts), source)
        #expect(code { try walker.pass("head", at: 0..<4, isOwn: isOwn) } == (isOwn ? nil : .residue))
      }
    }
  }

  @Test("A chunk has a header of eight bytes, and a padding of zero where its length is odd")
  func chunks() {
    let list = AllowList<FourCharacterCode>([.init("data", .copied, "", isRepeated: true)])
    let header = Array("data".utf8) + [3, 0, 0, 0]
    for (padding, isGood) in [([0], true), ([1], false), ([], false)] as [([UInt8], Bool)] {
      withSource(header + [1, 2, 3] + padding + header + [1, 2]) { source in
        var walker = PartWalker(list, source)
        let first = code { try walker.pass("data", 8..<11) }
        #expect((first == nil) == isGood)
        if first != nil { return }
        let second = code { try walker.pass("data", 20..<22) }
        #expect((second == nil) == isGood)
        if isGood { #expect(code { try walker.finish() } == nil) }
      }
    }
  }

  @Test("Stripping an output again may change no byte, move none and leave none out")
  func stable() {
    withSource([1, 2, 3, 4]) { source in
      func verdict(_ operations: EditOperation...) -> String? {
        do {
          try StableOutput.verify(EditList(operations: operations), over: source)
          return nil
        } catch {
          return error.detail
        }
      }
      #expect(verdict(.copy(offset: 0, length: 4)) == nil)
      #expect(verdict(.literal([1, 2]), .copy(offset: 2, length: 2)) == nil)
      #expect(verdict(.literal([1, 9]), .copy(offset: 2, length: 2)) == "headers")
      #expect(verdict(.literal([1]), .copy(offset: 2, length: 2)) == "parts")
      #expect(verdict(.copy(offset: 0, length: 3)) == "trailer")
      #expect(verdict() == "trailer")
      if let mask = DIFMask(is50: true, channelCount: 1, is720: false, hasSound: true, foreign: []) {
        #expect(verdict(.masked(offset: 0, length: 4, mask: mask)) == "packs of DV")
      }
      #expect(verdict(.copy(offset: 0, length: 4), .literal([5])) == "headers")
    }
  }

  @Test("Removed parts are all counted, and the first thousand have a place")
  func removedParts() {
    var parts = RemovedParts()
    for index in 0..<1500 {
      parts.add(index.isMultiple(of: 3) ? "a" : "b", at: index..<(index + 1))
    }
    #expect(parts.counts == ["a": 500, "b": 1000])
    #expect(parts.entries.count == 1000 && parts.entries.last?.range == 999..<1000)
    var other = RemovedParts()
    other.add("a", at: 7..<9)
    other.add(parts)
    #expect(other.counts == ["a": 501, "b": 1000] && other.entries.first?.range == 7..<9)
  }

  @Test("A part that the source has with the same bytes is not written anew")
  func same() {
    withSource([0, 1, 2, 3]) { source in
      for (range, isSame) in [(1..<3, true), (0..<2, false), (1..<4, false), (1..<2, false)] {
        var parts: [String: [UInt8]] = ["x": [1, 2], "y": []]
        let isRemoved = parts.remove("x", ifSameAs: range, of: source)
        #expect(isRemoved == isSame, "\(range)")
        #expect((parts["x"] == nil) == isSame && parts["y"] == [])
      }
      var parts: [String: [UInt8]] = [:]
      let isRemoved = parts.remove("x", ifSameAs: 0..<0, of: source)
      #expect(!isRemoved)
    }
  }
}
