internal import MediaModel

/// The library's own sidecars get names by which readers find the files that they describe, whatever those are called and
/// whichever other files share the name.
extension ExportPlan {
  /// A media file by its name, with the place of its asset.
  private typealias Media = (path: ItemPath, asset: Int)

  /// Gives the sidecars of files that keep their formats their endings.
  ///
  /// - Parameters:
  ///   - pieces: Of each asset, whose first media file is the one that sidecars describe.
  ///   - name: The name that the files share.
  static func bindSidecars(in pieces: inout [[ExportPiece]], named name: String) {
    guard pieces.joined().contains(where: \.isOwnSidecar) else { return }
    let media = media(of: pieces, named: name) { piece, _ in [piece] + piece.fallback }
    var taken = Set(pieces.joined().filter { !$0.isOwnSidecar }.flatMap(\.endings).map { $0.lowercased() })
    var loose: [(asset: Int, index: Int)] = []
    for asset in pieces.indices {
      for index in pieces[asset].indices where pieces[asset][index].isOwnSidecar {
        let ending = pieces[asset][index].ending
        let isConverted = mainFile(of: pieces[asset])?.isConverted ?? true
        let isFound = isConverted || finds(name + ending, asset, among: media)
        if !isFound || !taken.insert(ending.lowercased()).inserted { loose.append((asset, index)) }
      }
    }
    for (asset, index) in loose {
      let main = mainFile(of: pieces[asset])?.ending ?? ""
      let ending = ending(of: pieces[asset][index], beside: main, taken) {
        finds(name + $0, asset, among: media)
      }
      taken.insert(ending.lowercased())
      pieces[asset][index] = pieces[asset][index].renamed(ending)
    }
  }

  /// Puts the sidecars of a file that is converted beside what it becomes, and else beside the library's own file.
  static func attachSidecars(in pieces: inout [[ExportPiece]], named name: String) {
    for asset in pieces.indices where pieces[asset].contains(where: \.isOwnSidecar) {
      guard let main = pieces[asset].firstIndex(where: { $0.format != nil }), pieces[asset][main].isConverted,
        let original = pieces[asset][main].fallback.first?.ending
      else { continue }
      let made = media(of: pieces, named: name) { piece, _ in [piece] }
      let kept = media(of: pieces, named: name) { piece, own in
        own == asset ? [piece.fallback.first ?? piece] : [piece]
      }
      // In their order: of several that describe a file, the first one counts, and gets the name that counts.
      var index = main + 1
      while index < pieces[asset].count {
        guard pieces[asset][index].isOwnSidecar else {
          index += 1
          continue
        }
        let sidecar = pieces[asset].remove(at: index)
        let taken = Set(pieces.joined().flatMap(\.endings).map { $0.lowercased() })
        let unconverted = ending(of: sidecar, beside: original, taken) {
          finds(name + $0, asset, among: kept)
        }
        let converted = ending(of: sidecar, beside: pieces[asset][main].ending, taken) {
          finds(name + $0, asset, among: made)
        }
        if converted == unconverted {
          pieces[asset].insert(sidecar.renamed(converted), at: index)
          index += 1
        } else {
          pieces[asset][main].fallback = pieces[asset][main].fallback.map {
            $0.with(sidecar.renamed(unconverted))
          }
          pieces[asset][main].sidecar.append(sidecar.renamed(converted))
        }
      }
    }
  }

  private static func mainFile(of pieces: [ExportPiece]) -> ExportPiece? {
    pieces.first { $0.format != nil }
  }

  private static func media(
    of pieces: [[ExportPiece]],
    named name: String,
    _ files: (ExportPiece, _ asset: Int) -> [ExportPiece]
  ) -> [Media] {
    var media: [Media] = []
    for (asset, pieces) in pieces.enumerated() {
      for piece in pieces where piece.format != nil {
        for file in files(piece, asset) {
          let path = ItemPath(bytes: Array((name + file.ending).utf8))
          if !media.contains(where: { $0.path == path }) { media.append((path, asset)) }
        }
      }
    }
    return media
  }

  /// Whether a sidecar of this name is read as that of an asset's file.
  private static func finds(_ name: String, _ asset: Int, among media: [Media]) -> Bool {
    guard let own = SidecarName(ItemPath(bytes: Array(name.utf8))) else { return false }
    for name in [own, own.marked].compactMap(\.self) {
      switch name.owner(among: media.map(\.path)) {
      case .one(let index): return media[index].asset == asset
      case .ambiguous: return false
      case .none: continue
      }
    }
    return false
  }

  /// The first free ending by which a sidecar is found: its own, the whole name of its file, or that with a mark as
  /// darktable's further sidecars have it; where there is none, its own with a number.
  private static func ending(
    of sidecar: ExportPiece,
    beside main: String,
    _ taken: Set<String>,
    where isFound: (String) -> Bool
  ) -> String {
    let stem = withoutExtension(main)
    let own = withoutExtension(sidecar.ending).count
    let end = String(main.dropFirst(stem.count) + sidecar.ending.dropFirst(own))
    let marked = (1...99).map { "\(stem)_\(PaddedNumber.text($0, width: 2))\(end)" }
    for ending in [sidecar.ending, stem + end] + marked
    where !taken.contains(ending.lowercased()) && isFound(ending) {
      return ending
    }
    var (ending, number) = (sidecar.ending, 1)
    while taken.contains(ending.lowercased()) {
      number += 1
      ending = " (\(number))" + sidecar.ending
    }
    return ending
  }
}

extension ExportPiece {
  /// The same sidecar under another name, also where it is as it is in the library.
  fileprivate func renamed(_ ending: String) -> Self {
    var piece = self
    piece.ending = ending
    piece.fallback = fallback.map { $0.renamed(ending) }
    return piece
  }
}
