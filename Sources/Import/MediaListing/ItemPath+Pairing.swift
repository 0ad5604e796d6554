package import MediaModel

extension ItemPath {
  /// The folder, and the name without its extension with ASCII letters in lower case; of a sidecar those of
  /// the files that it may belong to. Of names that Apple Photos gives it is the one that both halves of a live
  /// photo have, and of those of a motion photo the one without `.MP`.
  package var pairingKey: [UInt8] {
    var stem = SidecarName(self).map { ItemPath(bytes: Array($0.stem)).name } ?? stem
    if let name = PhotosFileName(stem: stem) { stem = name.pairingStem[...] }
    if let motion = MotionPhotoName.stem(of: name) ?? MotionPhotoName.stem(of: stem) {
      stem = motion[...]
    }
    return folder + [UInt8.slash] + stem.map(\.asciiLowercased)
  }

  /// The hash of the pairing key in this process.
  package var pairingHash: Int {
    var hasher = Hasher()
    pairingKey.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
