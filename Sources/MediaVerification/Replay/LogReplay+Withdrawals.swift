internal import MediaFileSystem
internal import MediaLibrary

/// Assets that a person takes out of the library, as `withdrawn` records tell it.
extension LogReplay {
  /// Takes the next file of a withdrawn asset; the records of an asset stand behind each other.
  mutating func withdraw(_ asset: String, _ path: String, _ run: String) {
    if case .withdrawal(asset, let paths, run)? = operations.last {
      operations[operations.count - 1] = .withdrawal(asset: asset, paths: paths + [path], run: run)
    } else {
      operations.append(.withdrawal(asset: asset, paths: [path], run: run))
    }
  }

  /// Marks an asset as withdrawn.
  ///
  /// Where each of its files is still at its place, none was moved: the command was stopped before, and with the
  /// catalogue the work that it left is lost. Such an asset stays, so that a person can withdraw it again. A single
  /// file that is there is left, or has come back; a repair moves it aside.
  mutating func enterWithdrawal(
    of asset: String,
    _ paths: [String],
    _ run: String
  ) throws {
    let areAllThere = paths.allSatisfy { path in
      [UInt8](path.utf8).withUnsafeBytes { FileSystem.exists(beneath: root, $0) }
    }
    if areAllThere { return }
    let withdrawal = Withdrawal(localIdentifier: asset, folder: "", files: [])
    try catalogue.enter(StagedBatch(withdrawals: [withdrawal]), run: run)
    for path in paths { findings[path] = nil }
  }
}
