package import MediaModel
internal import MediaSyntax

/// The differences between an older manifest and a newer one, for the review of a change.
///
/// The comparison opens no file: all that the manifests name was read before. Texts are compared byte
/// by byte.
package struct ManifestComparison: Sendable {
  /// A manifest with the contents of the files that it names.
  package struct Side: Sendable {
    /// The manifest, merged with its Info.plist; see ``Manifest/merging(_:)``.
    package var manifest: Manifest
    /// The absolute path of the folder that its paths are relative to.
    package var folder: [UInt8]
    /// SHA-256 of the labels file, hexadecimal; nil when there is none.
    package var labelsSHA256: String?
    /// The signature of the manifest's bytes; nil when none was verified.
    package var signature: ManifestSignature?

    package init(
      manifest: Manifest,
      folder: [UInt8],
      labelsSHA256: String? = nil,
      signature: ManifestSignature? = nil
    ) {
      self.manifest = manifest
      self.folder = folder
      self.labelsSHA256 = labelsSHA256
      self.signature = signature
    }
  }

  /// A value that differs.
  package struct Difference: Sendable, Hashable {
    /// A JSON path in the newer manifest; in the older one when the newer has no such value.
    package var path: String
    /// The value as JSON has it, escaped and cut after 500 characters; nil when there is none.
    package var old: String?
    package var new: String?
    /// An escaped sentence that says what the difference means.
    package var sentence: String
    /// The entry of the list of narrowings; nil for a difference that widens.
    package var narrowing: Narrowing?
  }

  /// In the order of the keys in `docs/manifest.md`.
  package private(set) var widenings: [Difference] = []
  package private(set) var narrowings: [Difference] = []

  let old: Side
  let new: Side
  /// The source whose keys are compared.
  var source = SourceID.library

  /// A comparison that has noted nothing yet.
  init(old: Side, new: Side) {
    (self.old, self.new) = (old, new)
  }

  /// Notes that a signed manifest has another signer or key by now, or none. One that nobody had signed names no one
  /// whose promise another could break.
  mutating func noteSigner() {
    func text(_ signature: ManifestSignature) -> String {
      ComparisonText.quoted("\(signature.signedBy) \(signature.fingerprint)")
    }
    guard let before = old.signature else { return }
    guard let now = new.signature else {
      return note(JSONPath.root, text(before), nil, "Nobody has signed the manifest any more.")
    }
    let isSame = ComparisonText.isIdentical(before.signedBy, now.signedBy)
    if isSame, before.fingerprint == now.fingerprint { return }
    note(
      JSONPath.root,
      text(before),
      text(now),
      isSame ? "It is signed with another key." : "Somebody else has signed the manifest."
    )
  }

  /// Notes a difference; one without a narrowing widens.
  mutating func note(
    _ path: String,
    _ old: String?,
    _ new: String?,
    _ sentence: String,
    _ narrowing: Narrowing? = nil
  ) {
    // Swift's `==` is also true for texts that only look the same, and for two that were cut.
    let looksTheSame = old != nil && old == new
    let difference = Difference(
      path: path,
      old: old,
      new: new,
      sentence: looksTheSame
        ? sentence + " Both look the same here: they differ in how a character is written, or "
          + "behind what is shown." : sentence,
      narrowing: narrowing
    )
    if narrowing == nil {
      widenings.append(difference)
    } else {
      narrowings.append(difference)
    }
  }
}
