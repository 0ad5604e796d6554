internal import Glibc
internal import MediaModel
internal import MediaWorkerProtocol

/// The answers to the requests of commands that make a folder from a library.
extension Liar {
  /// A JPEG whose comment is this text, and which no decoder takes for a picture.
  private static func jpeg(_ text: String) -> [UInt8] {
    let comment = Array(text.utf8)
    return [0xFF, 0xD8, 0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + [0xFF, 0xD9]
  }

  func answer(_ job: ConvertJob, bytes: [UInt8]) {
    let lie = Lie(in: bytes)
    if lie == .crash { abort() }
    give(
      Self.jpeg("converted"),
      named: lie == .thumbnailOtherName ? SheetJob.resultName : ConvertJob.resultName,
      to: job.identifier,
      lie
    )
  }

  /// Answers a part of a page, whose comment tells the number of pictures that were drawn.
  func answer(_ job: SheetJob, bytes: [UInt8], drawn: inout Int) {
    let lie = Lie(in: bytes)
    if lie == .crash { abort() }
    switch job.part {
    case .cell:
      if !bytes.isEmpty { drawn += 1 }
      if lie != nil {
        give(Self.jpeg("early"), named: SheetJob.resultName, to: job.identifier, lie)
      } else {
        send(WorkerMessage.done(job: job.identifier))
      }
    case .end:
      give(Self.jpeg("\(drawn) drawn"), named: SheetJob.resultName, to: job.identifier, lie)
    }
  }

  private func give(_ jpeg: [UInt8], named name: String, to job: UInt64, _ lie: Lie?) {
    var jpeg = jpeg
    switch lie {
    case .thumbnailNotJPEG: jpeg[0] = 0x47
    case .thumbnailEndless:
      let part = message([UInt8](repeating: 0xFF, count: 1 << 19), name, job).frame
      while true { send(part) }
    case .doneAtOnce: return send(WorkerMessage.done(job: job))
    default: break
    }
    send(message(jpeg, name, lie == .otherJob ? job + 1000 : job))
    send(WorkerMessage.done(job: job))
  }

  private func message(_ bytes: [UInt8], _ name: String, _ job: UInt64) -> WorkerMessage {
    .thumbnail(job: job, name: name, size: PixelSize(width: 1, height: 1), bytes: bytes, isLast: true)
  }
}
