internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// A picture of a contact sheet.
struct ContactSheetTile {
  /// The thumbnail, or the original of a picture that was made; nil for an asset that has none.
  var source: ExportFolder.Source?
  /// Whether the picture was made, and lies aside under the number of the tile.
  var isMade = false
  var label: String
}

/// Draws the pages of a contact sheet, each in a confined worker of its own.
///
/// A page is the one place where a worker sees pictures of several sources; it gets thumbnails alone, or what was made
/// in their place, one after the other. What it has drawn is lost with it, so a page is begun anew, and no picture is
/// sent again alone as `FileRequests` does.
final class ContactSheetPages {
  /// The processor seconds of one thumbnail, and of encoding a page.
  private static let seconds: Int64 = 30

  /// A page that is being drawn.
  private struct Page {
    var number: Int
    /// The tile that is sent next.
    var next: Int
    /// The number of tiles that were sent and not yet answered.
    var pending = 0
    var isEnding = false
  }

  /// What a worker was drawing when it ended.
  private struct Step: Hashable {
    var page: Int
    /// The tile; nil for the end of the page.
    var tile: Int?
  }

  /// A part of the work that a worker has.
  private struct Part {
    var page: Int
    /// The tile; nil for the end of the page.
    var tile: Int?
    /// The page, or the reason that a part of it cannot be drawn.
    var jpeg = MadeJPEG(named: SheetJob.resultName, mostBytes: 4 * ContactSheetCell.maximumPixels)
  }

  private let options: ContactSheetOptions
  private let tiles: [ContactSheetTile]
  private let folder: ExportFolder
  private let nullDevice: Descriptor
  private let requests: WorkerRequests<Part>
  private let finish: (_ page: Int, _ jpeg: [UInt8]) throws -> Void
  private var pages: [Page] = []
  /// The tiles that are drawn as labels alone, with the reason.
  private var problems: [Int: String] = [:]
  /// How many workers have ended at each step.
  private var failedAttempts: [Step: Int] = [:]

  /// Prepares the pages; `finish` takes each when it is drawn, not in the order of the pages.
  init(
    _ options: ContactSheetOptions,
    _ tiles: [ContactSheetTile],
    _ folder: ExportFolder,
    _ workers: ExportWorkers,
    finish: @escaping (_ page: Int, _ jpeg: [UInt8]) throws -> Void
  ) {
    (self.options, self.tiles, self.folder, self.finish) = (options, tiles, folder, finish)
    nullDevice = workers.program.nullDevice
    requests = WorkerRequests(workers.pool())
  }

  /// Draws all pages.
  ///
  /// - Returns: The thumbnails that could not be drawn.
  /// - Throws: ``ExportError``, and the errors of the function that takes the pages.
  func draw() throws -> [LibraryContactSheet.NotDrawn] {
    let count = options.layout.cellsOfPage
    var waiting = Array(stride(from: 0, to: tiles.count, by: count).map { $0 / count }.reversed())
    while !waiting.isEmpty || !pages.isEmpty {
      for index in pages.indices { try feed(&pages[index]) }
      while let number = waiting.last, requests.hasRoom(for: .page(number)) {
        waiting.removeLast()
        var page = Page(number: number, next: number * count)
        try feed(&page)
        pages.append(page)
      }
      let progress = requests.receive(Self.take)
      for part in progress.finished { try note(part) }
      try restart(progress)
    }
    return problems.sorted { $0.key < $1.key }.compactMap { tile, detail in
      tiles[tile].source.map { LibraryContactSheet.NotDrawn(path: $0.path, detail: detail) }
    }
  }

  /// Sends tiles to the worker of a page as far as it has room, and the end behind the last.
  private func feed(_ page: inout Page) throws {
    let count = options.layout.cellsOfPage
    let end = min((page.number + 1) * count, tiles.count)
    while page.next < end, requests.hasRoom(for: .page(page.number)) {
      let tile = page.next
      let cell = options.layout.cell(tile - page.number * count, label: tiles[tile].label)
      var file = nullDevice
      if problems[tile] == nil, tiles[tile].isMade {
        file = try folder.heldAside(tile)
      } else if problems[tile] == nil, let source = tiles[tile].source {
        if let opened = try folder.open(source) {
          file = opened.file
        } else {
          problems[tile] = folder.damaged[source.path]
        }
      }
      try send(Part(page: page.number, tile: tile), .cell(cell), file)
      page.next += 1
      page.pending += 1
    }
    guard page.next == end, page.pending == 0, !page.isEnding else { return }
    try send(Part(page: page.number), .end(quality: options.quality), nullDevice)
    page.isEnding = true
  }

  private func send(_ part: Part, _ work: SheetJob.Part, _ file: Descriptor) throws(ExportError) {
    do {
      _ = try requests.send(part, for: .page(part.page), file: file, seconds: Self.seconds) {
        .sheet(
          SheetJob(
            identifier: $0,
            pageSize: options.layout.pageSize,
            background: options.background,
            part: work
          )
        )
      }
    } catch {
      throw ExportError(error)
    }
  }

  /// Enters an answer that is whole.
  private func note(_ part: Part) throws {
    if let package = part.jpeg.missingPackage {
      throw ExportError(
        .failed,
        "Nothing was written: Debian's package \(package) is missing. Install it"
          + (options.layout.hasLabels ? ", or repeat the command with --no-labels." : ".")
      )
    }
    guard let index = pages.firstIndex(where: { $0.number == part.page }) else { return }
    if let tile = part.tile {
      pages[index].pending -= 1
      if let problem = part.jpeg.problem { problems[tile] = problem }
      return
    }
    if let problem = part.jpeg.problem {
      throw ExportError(.failed, "Page \(part.page + 1) cannot be written: \(problem).")
    }
    pages.remove(at: index)
    requests.retire(.page(part.page))
    try finish(part.page, part.jpeg.bytes)
  }

  /// Begins pages anew whose worker has ended: with all pictures at first, since the file that ended it may not
  /// have been the picture, and without the one at which a second worker ended.
  private func restart(_ progress: WorkerRequests<Part>.Progress) throws {
    for case .page(let number) in progress.ended {
      guard let index = pages.firstIndex(where: { $0.number == number }) else { continue }
      pages[index] = Page(number: number, next: number * options.layout.cellsOfPage)
      // It ended between two requests, and what it had drawn is gone with it.
      if !progress.lost.contains(where: { $0.state.page == number }) {
        try count(Step(page: number), "the worker ended")
      }
    }
    for part in progress.lost where part.isAtFault {
      try count(Step(page: part.state.page, tile: part.state.tile), part.detail)
    }
  }

  /// Counts a worker that has ended at a step.
  ///
  /// - Throws: ``ExportError`` behind the second one, unless the page can be drawn without a picture.
  private func count(_ step: Step, _ detail: String) throws(ExportError) {
    let attempts = failedAttempts[step, default: 0] + 1
    failedAttempts[step] = attempts
    guard attempts > 1 else { return }
    guard let tile = step.tile, problems[tile] == nil else {
      throw ExportError(.failed, "Page \(step.page + 1) cannot be written: \(detail).")
    }
    problems[tile] = detail
    failedAttempts[step] = nil
  }

  private static func take(
    _ part: inout Part,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .done where part.tile != nil: return true
    case .thumbnail where part.tile != nil: throw ProtocolError("a page before its end")
    default: return try part.jpeg.take(message)
    }
  }
}
