package import MediaAudit
internal import MediaLibrary
package import MediaModel
internal import MediaPipeline

/// Stacks assets as a person wants it, or takes assets out of their stacks.
///
/// The process restricts itself to the log and the catalogue: no file of an asset is opened.
package struct StackEdit: AssetDecision {
  package let edit: AssetEdit
  /// The decision that was carried out; nil when nothing changed.
  package var done: Stacking? { edit.decision?.stackings?.first }

  /// Changes stacks while holding the library's lock.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - words: A localIdentifier each, or the beginning of one that no other asset has. Whole stacks come
  ///     with each of their assets. The first is the new cover.
  ///   - isApart: Whether the assets are taken out of their stacks; otherwise they become one.
  ///   - waits: Whether to wait while another run holds the library.
  ///   - enforcement: Whether the kernel confines the process.
  ///   - signer: Signs the log's head; nil when it is not signed.
  package init(
    library path: [UInt8],
    _ words: [String],
    isApart: Bool,
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    edit = AssetEdit(
      AssetEdit.Command(
        name: isApart ? "unstack" : "stack",
        subject: "what writes the library's catalogue",
        library: path,
        waits: waits,
        enforcement: enforcement,
        signer: signer
      )
    ) { library, _ in
      try Self.plan(words, isApart, in: library).map { StagedBatch(stackings: [$0]) }
    }
  }

  /// Finds the assets, each with the stack that it is in.
  ///
  /// - Returns: The decision; nil when the assets are this stack already, or in none.
  /// - Throws: `RunError` when an asset is not found.
  private static func plan(
    _ words: [String],
    _ isApart: Bool,
    in library: Library
  ) throws -> Stacking? {
    var assets: [String] = []
    var seen: Set<String> = []
    var areStacked = false
    for word in words {
      let named = try AssetArgument.asset(word, in: library)
      // The others of its stack were seen with it.
      if seen.contains(named) { continue }
      let stack = try library.catalogue.stack(of: named)
      areStacked = areStacked || stack.count > 1
      // The asset that was named comes before the others of its stack, so that it can become the cover.
      for asset in [named] + stack where seen.insert(asset).inserted { assets.append(asset) }
    }
    if isApart { return areStacked ? Stacking(assets: assets, isApart: true) : nil }
    guard assets.count > 1 else {
      throw RunError(
        .noSuchAsset,
        "A stack has two assets or more. Name each of them."
      )
    }
    let current = try library.catalogue.stack(of: assets[0])
    return current == assets ? nil : Stacking(assets: assets, isApart: false)
  }
}
