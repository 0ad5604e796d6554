/// The names that Google Takeout gives to files of Google Photos and to the JSON files beside them.
///
/// A JSON file is named after the title of the picture that it describes, which is cut; a number tells equal
/// titles apart, and stands at different places in the two names. Google documents none of it; the rules are
/// those that exports of ten years show. Source: the names in immich-go's tests (`matcher_test.go`).
package enum TakeoutNames {
  /// A JSON file with the files that it describes.
  package struct Pair: Sendable, Hashable {
    /// The index of the JSON file.
    package var sidecar: Int
    /// The index of the file that it is named after.
    package var owner: Int
    /// The indexes of others that it describes too: an edited rendition, the movie of a motion photo.
    package var others: [Int]
  }

  /// The characters of a name that Google does not cut, without the extension `.json`.
  private static let cutLength = 46
  /// The most characters by which a cut name may be shorter than the file's own.
  private static let cutDifference = 10
  private static let supplement = Array("supplemental-metadata".unicodeScalars)

  /// The words that Google Photos puts behind the name of an edited rendition, in the languages that are
  /// known.
  package static let editedWords = [
    "edited", "effects", "smile", "mix", "bearbeitet", "bewerkt", "edytowane", "modificato",
    "modifié", "ha editado", "editado", "editada", "editat", "redigerad", "redigeret", "redigert",
    "muokattu", "изменено", "編集済み", "编辑", "已編輯",
  ]

  /// Whether a name is that of a JSON file.
  package static func isSidecar<Bytes: RandomAccessCollection>(_ name: Bytes) -> Bool
  where Bytes.Element == UInt8 {
    name.count > 5 && name.suffix(5).map { $0 | 0x20 }.elementsEqual(".json".utf8)
  }

  /// Whether a file is the page by which an export is browsed.
  package static func isOfTakeoutItself(_ path: ItemPath) -> Bool {
    path.name.elementsEqual("archive_browser.html".utf8)
  }

  /// A folder of an export, whichever of the export's archives it lies in.
  ///
  /// - Parameter path: The path of a file.
  /// - Returns: The path of its folder within the export.
  package static func folder(of path: ItemPath) -> ItemPath {
    let folder = path.folder
    let parts = folder.split(separator: UInt8.slash)
    guard let index = parts.firstIndex(where: { ArchiveFormat(ofName: $0) != nil }) else {
      return ItemPath(bytes: Array(folder))
    }
    let end = parts[index].endIndex
    return ItemPath(bytes: end < folder.endIndex ? Array(folder[(end + 1)...]) : [])
  }

  /// Finds the JSON files of one picture in a folder to which exports of different years were unpacked: they have the
  /// title of one that is named after a file, with its number, and what any of them says counts.
  ///
  /// - Parameters:
  ///   - pairs: Those of the folder.
  ///   - sidecars: The names of its JSON files.
  /// - Returns: The indexes of JSON files that are in no pair, in order, by the index of the one that is.
  package static func namesakes(of pairs: [Pair], among sidecars: [[UInt8]]) -> [Int: [Int]] {
    if pairs.count == sidecars.count { return [:] }
    func title(_ index: Int) -> String {
      let name = SidecarTitle(sidecars[index])
      return String(String.UnicodeScalarView(name.titles.last ?? [])) + "/" + name.number
    }
    let byTitle = Dictionary(pairs.map { (title($0.sidecar), $0.sidecar) }) { first, _ in first }
    let paired = Set(pairs.map(\.sidecar))
    var namesakes: [Int: [Int]] = [:]
    for index in sidecars.indices where !paired.contains(index) {
      if let sidecar = byTitle[title(index)] { namesakes[sidecar, default: []].append(index) }
    }
    return namesakes
  }

  /// Finds the files that JSON files of the same folder describe, in time linear in their number.
  ///
  /// Names are compared by their characters first; those that are left over then without case and as texts, since
  /// an export has `DSC1.jpg.json` for `DSC1.JPG`, and what unpacks it may write one of them in NFD.
  ///
  /// - Parameters:
  ///   - sidecars: The names of JSON files.
  ///   - media: The names of the other files.
  /// - Returns: A pair for each JSON file that is named after a file; no file is in two of them.
  package static func pairs(sidecars: [[UInt8]], media: [[UInt8]]) -> [Pair] {
    let names = sidecars.map { SidecarTitle($0) }
    let files = media.map { MediaName($0) }
    var described: [Int: [Int]] = [:]
    var taken = [Bool](repeating: false, count: files.count)
    // A file that has the whole name in another case comes before one that is described besides.
    let passes = [false, true].flatMap { findsOthers in
      let some = rules.filter { $0.findsOthers == findsOthers }
      return some.map { ($0, false) } + some.map { ($0, true) }
    }
    for (rule, isFolded) in passes {
      var index: [Key: [Int]] = [:]
      for (position, file) in files.enumerated() where !taken[position] {
        for key in rule.file(file) {
          index[isFolded ? key.folded : key, default: []].append(position)
        }
      }
      if index.isEmpty { continue }
      for (sidecar, name) in names.enumerated() {
        if !rule.findsOthers, described[sidecar] != nil { continue }
        for key in rule.sidecar(name) {
          // The first sidecar takes all of them, so that the others need not look at them again.
          let positions = index.removeValue(forKey: isFolded ? key.folded : key) ?? []
          for position in positions where !taken[position] {
            taken[position] = true
            described[sidecar, default: []].append(position)
          }
        }
      }
    }
    return described.map { sidecar, files in
      Pair(sidecar: sidecar, owner: files[0], others: Array(files.dropFirst()))
    }.sorted { $0.sidecar < $1.sidecar }
  }

  /// The name of the original of an edited rendition, without an extension; nil for any other name.
  ///
  /// - Parameter stem: A name without its extension, such as `IMG_1-edited(2)`.
  /// - Returns: The name such as `IMG_1(2)`.
  package static func originalStem(of stem: [UInt8]) -> [UInt8]? {
    // Nearly no name has a hyphen and ends so: looked at before a text is made.
    guard stem.contains(UInt8.hyphen) else { return nil }
    let (name, number) = numbered(Array(String(decoding: stem, as: UTF8.self).unicodeScalars))
    let text = String(String.UnicodeScalarView(name))
    for word in editedWords where text.hasSuffix("-" + word) {
      let original = String(text.dropLast(word.count + 1))
      if original.isEmpty { return nil }
      return Array((number.isEmpty ? original : "\(original)(\(number))").utf8)
    }
    return nil
  }

  // MARK: Rules

  private struct Key: Hashable {
    var name: [Unicode.Scalar]
    var number: String
    /// In lower case, which is compared as a text; nil where the characters are compared.
    var text: String?

    var folded: Key {
      let text = String(String.UnicodeScalarView(name)).lowercased()
      return Key(name: [], number: number, text: text)
    }
  }

  /// One way in which the two names belong together: they have a key in common.
  private struct Rule: Sendable {
    var file: @Sendable (MediaName) -> [Key]
    var sidecar: @Sendable (SidecarTitle) -> [Key]
    /// Whether it also finds what a JSON file describes besides the file that it is named after.
    var findsOthers = false
  }

  /// In order: what an earlier one finds, no later one does.
  private static let rules: [Rule] = [
    // IMG_1.jpg and IMG_1.jpg.json; IMG_1(1).jpg and IMG_1(1).jpg.json.
    Rule(file: { [Key(name: $0.whole, number: "")] }) { title in
      title.names.map { Key(name: $0, number: "") }
    },
    // IMG_1(1).jpg and IMG_1.jpg(1).json; PXL_….ORIGINA.jpg and PXL_….ORIGIN.json.
    Rule(file: { file in file.titles.map { Key(name: $0, number: file.number) } }) { title in
      title.titles.map { Key(name: $0, number: title.number) }
    },
    // The title has no extension: 27_06_12 - 2.jpg and 27_06_12 - 2.json.
    Rule(file: { [Key(name: $0.stem, number: $0.number)] }) { title in
      title.titles.map { Key(name: $0, number: title.number) }
    },
    // original_…_P(1).jpg and original_…_.json.
    Rule(
      file: { file in file.cutStems.map { Key(name: $0, number: "cut") } },
      sidecar: { title in
        guard title.number.isEmpty else { return [] }
        return title.titles.filter { $0.count >= cutLength - 1 }
          .map { Key(name: $0, number: "cut") }
      },
      findsOthers: true
    ),
    // IMG_1-edited(1).jpg and IMG_1.jpg(1).json.
    Rule(
      file: { file in file.original.map { [Key(name: $0, number: file.number)] } ?? [] },
      sidecar: { title in title.stems.map { Key(name: $0, number: title.number) } },
      findsOthers: true
    ),
    // IMG_1.MP4 and IMG_1.HEIC.json; PXL_1.MP and PXL_1.MP.jpg.json.
    Rule(
      file: { file in
        file.isMovie ? [file.stem, file.title].map { Key(name: $0, number: file.number) } : []
      },
      sidecar: { title in title.stems.map { Key(name: $0, number: title.number) } },
      findsOthers: true
    ),
  ]

  // MARK: Names

  /// A media file's name.
  private struct MediaName {
    var whole: [Unicode.Scalar]
    /// Without the number.
    var title: [Unicode.Scalar]
    var number: String

    init(_ name: [UInt8]) {
      whole = Array(String(decoding: name, as: UTF8.self).unicodeScalars)
      (title, number) = numbered(whole)
    }

    var stem: [Unicode.Scalar] { withoutExtension(title) }

    /// Whether it may be the movie of a motion photo, of which some are called `.MP`.
    var isMovie: Bool {
      let ending = title.lastIndex(of: ".").map { title[($0 + 1)...] } ?? []
      let word = String(String.UnicodeScalarView(ending)).lowercased()
      return word.hasPrefix("mp") || MediaFormat(fileExtension: word)?.mediaType == .video
    }

    /// The title, and the ways in which Google cuts it.
    var titles: [[Unicode.Scalar]] {
      var titles = [title]
      if title.count > cutLength {
        titles.append(Array(title.prefix(cutLength)))
      } else if String(String.UnicodeScalarView(title)).utf8.count > cutLength {
        titles.append(Array(stem.dropLast()))
      }
      return titles
    }

    /// Beginnings of a long stem, the longest first.
    var cutStems: [[Unicode.Scalar]] {
      let stem = withoutExtension(whole)
      guard stem.count >= cutLength else { return [] }
      return (max(cutLength - 1, stem.count - cutDifference + 1)..<stem.count).reversed()
        .map { Array(stem.prefix($0)) }
    }

    /// The stem of the file that this is an edited rendition of: a hyphen and a word stand behind it.
    var original: [Unicode.Scalar]? {
      let stem = stem
      guard let hyphen = stem.lastIndex(of: "-"), hyphen > 0 else { return nil }
      let word = stem[(hyphen + 1)...]
      // Marks are letters of their own in NFD, and in the scripts of Thailand and India.
      guard (3...30).contains(word.count) || editedWords.contains(String(String.UnicodeScalarView(word))),
        word.allSatisfy({
          $0.properties.isAlphabetic || $0 == " " || $0.properties.isJoinControl
            || $0.properties.generalCategory == .nonspacingMark
        })
      else { return nil }
      return Array(stem[..<hyphen])
    }
  }

  /// The title in a JSON file's name.
  private struct SidecarTitle {
    /// The whole name without `.json`, and without what tells that it is a JSON file of metadata.
    var names: [[Unicode.Scalar]]
    /// The same without the number.
    var titles: [[Unicode.Scalar]]
    var number: String

    init(_ name: [UInt8]) {
      let whole = Array(String(decoding: name.dropLast(5), as: UTF8.self).unicodeScalars)
      names = [whole] + withoutSupplement(whole)
      let (title, number) = numbered(whole)
      self.number = number
      titles = [title] + withoutSupplement(title)
    }

    /// The titles without the extension of media.
    var stems: [[Unicode.Scalar]] {
      titles.compactMap { title in
        let stem = withoutExtension(title)
        let ending = String(String.UnicodeScalarView(title[min(stem.count + 1, title.count)...]))
        return MediaFormat(fileExtension: ending.lowercased()) == nil ? nil : stem
      }
    }
  }

  /// Takes the number out of a name: the digits in the last parentheses.
  private static func numbered(
    _ name: [Unicode.Scalar]
  ) -> (name: [Unicode.Scalar], number: String) {
    guard let end = name.lastIndex(of: ")"), let start = name[..<end].lastIndex(of: "("),
      start + 1 < end, end - start <= 7,
      name[(start + 1)..<end].allSatisfy({ ("0"..."9").contains($0) })
    else { return (name, "") }
    return (
      Array(name[..<start] + name[(end + 1)...]),
      String(String.UnicodeScalarView(name[(start + 1)..<end]))
    )
  }

  private static func withoutExtension(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard let dot = name.lastIndex(of: "."), dot > 0 else { return name }
    return Array(name[..<dot])
  }

  /// The name without a dot and a beginning of `supplemental-metadata`, also an empty one.
  private static func withoutSupplement(_ name: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    guard let dot = name.lastIndex(of: "."), dot > 0, supplement.starts(with: name[(dot + 1)...])
    else { return [] }
    return [Array(name[..<dot])]
  }
}
