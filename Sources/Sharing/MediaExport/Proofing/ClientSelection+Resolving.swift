package import MediaLibrary

extension ClientSelection {
  /// The assets of a library that a selection names.
  package struct Resolved: Sendable {
    /// The rows of the assets, each once, in ascending order.
    package var rows: [Int64]
    /// The identifiers that no asset has, in the order of the file.
    package var unknown: [IdentifierPrefix]
    /// The identifiers with which those of several assets begin, with the number of these.
    package var ambiguous: [(identifier: IdentifierPrefix, assets: Int)]
    /// Of a selection in another library: the assets of that one whose file no asset of this one was made of.
    package var absent: [SourceFileOwner] = []
    /// The same whose file several assets of this one were made of, with their number.
    package var shared: [(owner: SourceFileOwner, assets: Int)] = []
    /// Whether an unknown identifier or an absent asset is that of a hidden asset.
    package var missesHidden = false

    /// Whether the selection leads to assets, and each of its lines to one.
    package var isWhole: Bool {
      !rows.isEmpty && unknown.isEmpty && ambiguous.isEmpty && absent.isEmpty && shared.isEmpty
    }
  }

  /// Finds the assets in one pass over the library's identifiers.
  ///
  /// - Parameters:
  ///   - reader: The library.
  ///   - includesHidden: Whether hidden assets are found too; otherwise they are as if the library did not have
  ///     them.
  /// - Returns: The assets, and the identifiers that lead to none or to several.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func resolved(
    in reader: CatalogueReader,
    includesHidden: Bool
  ) throws(LibraryError) -> Resolved {
    let order = identifiers.indices.sorted { identifiers[$0].group < identifiers[$1].group }
    let groups = order.map { identifiers[$0].group }
    let matches = try reader.reduceIdentifiers(
      includesHidden: includesHidden,
      into: [Match](repeating: Match(), count: identifiers.count)
    ) { matches, row, localIdentifier in
      guard let asset = IdentifierPrefix(localIdentifier.utf8) else { return }
      var position = Self.first(of: asset.group, in: groups)
      while position < groups.count, groups[position] == asset.group {
        let index = order[position]
        if identifiers[index].begins(asset) {
          matches[index].row = row
          matches[index].assets += 1
        }
        position += 1
      }
    }
    var resolved = Resolved(rows: [], unknown: [], ambiguous: [])
    for (identifier, match) in zip(identifiers, matches) {
      switch match.assets {
      case 0: resolved.unknown.append(identifier)
      case 1: resolved.rows.append(match.row)
      default: resolved.ambiguous.append((identifier, match.assets))
      }
    }
    resolved.rows = Set(resolved.rows).sorted()
    if !includesHidden, !resolved.unknown.isEmpty {
      var unresolved = self
      unresolved.identifiers = resolved.unknown
      let withHidden = try unresolved.resolved(in: reader, includesHidden: true)
      resolved.missesHidden = withHidden.unknown.count < resolved.unknown.count
    }
    return resolved
  }

  /// Finds the assets of a library that were imported from the files of what was chosen in another one, such as the
  /// stripped copies of what was chosen among the photographer's own files.
  ///
  /// - Parameters:
  ///   - reader: The library.
  ///   - gallery: The library of the gallery, whose identifiers the selection has. It needs the SHA-256 of its files,
  ///     which a library that strips does not have.
  ///   - includesHidden: Whether hidden assets of both are found too.
  ///   - takesStacks: Whether what is in one stack with a chosen asset there is chosen too.
  /// - Returns: The assets of the library, and what leads to none or to several.
  /// - Throws: ``LibraryError`` when a catalogue or the library's digest key cannot be read.
  package func resolved(
    in reader: CatalogueReader,
    selectedIn gallery: CatalogueReader,
    includesHidden: Bool,
    takesStacks: Bool
  ) throws(LibraryError) -> Resolved {
    var resolved = try self.resolved(in: gallery, includesHidden: includesHidden)
    if takesStacks {
      var query = AssetQuery()
      (query.includesHidden, query.rows) = (includesHidden, resolved.rows)
      resolved.rows = try gallery.wholeStacks(of: query).rows ?? []
    }
    let owners = try gallery.sourceFileOwners(rows: resolved.rows)
    var rows: Set<Int64> = []
    for (owner, found) in zip(owners, try reader.assets(ofSameFilesAs: owners)) {
      let isMissing = found.hasHidden && !includesHidden
      if isMissing { resolved.missesHidden = true }
      switch isMissing ? 0 : found.rows.count {
      case 0: resolved.absent.append(owner)
      case 1: rows.formUnion(found.rows)
      default: resolved.shared.append((owner, found.rows.count))
      }
    }
    resolved.rows = rows.sorted()
    return resolved
  }

  /// The assets that an identifier begins.
  private struct Match {
    var assets = 0
    /// The last one of them.
    var row: Int64 = 0
  }

  /// The place of the first number in ascending ones that is not smaller.
  private static func first(of number: UInt64, in numbers: [UInt64]) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
