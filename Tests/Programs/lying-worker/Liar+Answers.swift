internal import Glibc
internal import MediaModel
internal import MediaWorkerProtocol

extension Liar {
  /// Answers a job: honestly, or as the file asks.
  func answer(_ job: Job, bytes: [UInt8], file: Int32) {
    let answer = Answer(job, bytes: bytes)
    guard let lie = Lie(in: bytes) else {
      for frame in answer.frames { send(frame) }
      return
    }
    switch lie {
    case .silence:
      while true { pause() }
    case .halfFrame:
      send(Array(answer.factsFrame.prefix(20)))
      while true { pause() }
    case .slowly:
      // One byte at a time: each arrives in time, and the facts, of more than 100 bytes, not within a minute.
      for byte in Array(answer.factsFrame) + [UInt8](repeating: 0, count: 1000) {
        send([byte])
        usleep(900_000)
      }
    case .crash: abort()
    case .exitInBetween:
      send(answer.factsFrame)
      exit(0)
    case .descriptorsAlong:
      // The file's own descriptor, repeatedly: it must not reach the coordinator.
      for frame in answer.frames {
        send(Array(frame.prefix(1)), descriptor: file)
        for byte in frame.dropFirst() { send([byte], descriptor: file) }
      }
    case .endlessLiterals:
      send(answer.factsFrame)
      let literal = EditOperation.literal([UInt8](repeating: 0xFF, count: 1_000_000))
      while true { send(WorkerMessage.edit(job: answer.identifier, [literal])) }
    case .endlessOperations:
      send(answer.factsFrame)
      let many = [EditOperation](repeating: .literal([]), count: 100_000)
      while true { send(WorkerMessage.edit(job: answer.identifier, many)) }
    case .thumbnailEndless:
      for frame in [answer.factsFrame] + answer.editFrames { send(frame) }
      while true {
        for spec in job.thumbnails.prefix(1) {
          let bytes = [UInt8](repeating: 0xFF, count: 1_000_000)
          send(answer.thumbnail(of: spec, bytes: bytes, isLast: false))
        }
      }
    case .answersEndlessly:
      while true { for frame in answer.frames { send(frame) } }
    default:
      for frame in falseFrames(lie, answer) { send(frame) }
    }
  }

  /// The frames of an answer with one lie in it.
  private func falseFrames(_ lie: Lie, _ honest: Answer) -> [[UInt8]] {
    var answer = honest
    let length = UInt64(answer.bytes.count)
    switch lie {
    case .rangeBeyondEnd: answer.operations = [.copy(offset: 0, length: length + 1)]
    case .rangeOverflow: answer.operations = [.copy(offset: 1 << 63, length: 1 << 63)]
    case .rangeOverlap:
      answer.operations = [.copy(offset: 0, length: 10), .copy(offset: 5, length: 10)]
    case .rangeDescends:
      answer.operations = [.copy(offset: 10, length: 10), .copy(offset: 0, length: 5)]
    case .rangeEmpty: answer.operations.append(.copy(offset: length, length: 0))
    case .otherMagic: answer.operations = [.literal(Array("#!/bin/sh\n".utf8))]
    case .emptyOutput: answer.operations = []
    case .removedUnknown: answer.removed = [(UInt32(MetadataTag.count), 1)]
    case .removedTooMany: answer.removed = (0...UInt32(MetadataTag.count)).map { ($0, 1) }
    case .removedTwice: answer.removed = [(3, 1), (3, 1)]
    case .otherFormat: answer.facts.format = .png
    case .acceptedWrongly: answer.facts.format = .mp3
    case .cutAndDone: answer.isCut = true
    case .shortDigest: answer.digest.removeLast()
    case .otherDigest: answer.digest[0] ^= 1
    case .digestOfTwin: answer.digest = Self.digestOfTwin(in: answer.bytes) ?? answer.digest
    case .orientationNine: answer.facts.orientation = 9
    case .dateOutOfRange: answer.facts.creationDate = Self.date("2026-13-01T00:00:00")
    case .dateHostile: answer.facts.creationDate = Self.date("\u{1B}[2J-01-01T00:00:0")
    case .tagTooLong:
      answer.facts.creationDate = CaptureDate(
        local: "2026-01-01T00:00:00",
        offsetMinutes: 0,
        tag: Hostile.long
      )
    case .durationNegative: answer.facts.durationMilliseconds = -1
    case .cameraTooLong: answer.facts.camera = Hostile.long
    case .movieBeyondEnd:
      answer.facts.embeddedMovie = EmbeddedMovie(offset: answer.bytes.count, length: 1, stillLength: nil)
    case .contentIdentifierTooLong: answer.facts.contentIdentifier = Hostile.long
    case .textHostile:
      answer.facts.camera = Hostile.text
      answer.facts.contentIdentifier = Hostile.text
      answer.facts.creationDate = CaptureDate(
        local: "2026-01-01T00:00:00",
        offsetMinutes: 0,
        tag: Hostile.text
      )
    default: return rawFrames(lie, honest)
    }
    return answer.frames
  }

  private static func date(_ local: String) -> CaptureDate {
    CaptureDate(local: local, offsetMinutes: nil, tag: "DateTimeOriginal")
  }

  /// The digest in a file for its lie: 64 hexadecimal digits after `TWIN:`.
  private static func digestOfTwin(in bytes: [UInt8]) -> [UInt8]? {
    let text = String(decoding: bytes.prefix(300), as: UTF8.self)
    guard let mark = text.range(of: "TWIN:") else { return nil }
    let digits = Array(text[mark.upperBound...].utf8.prefix(64))
    guard digits.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
  }
}

extension String {
  /// Returns the offset of the first occurrence of another text, without Foundation.
  fileprivate func range(of other: String) -> Range<String.Index>? {
    indices.first { self[$0...].hasPrefix(other) }.map { start in
      start..<index(start, offsetBy: other.count)
    }
  }
}
