package import MediaModel
package import MediaPredicate
package import MediaSyntax

/// The declaration of one import: its client, reasons, sources, rules and output.
package struct Manifest: Sendable, Hashable {
  /// The client that asks for access.
  package struct Client: Sendable, Hashable {
    /// 1 to 155 of `A-Z a-z 0-9 . -`.
    package var identifier: String
    /// 1 to 255 characters, not blank; the identifier when the manifest has none.
    package var name: String
  }

  /// The origin of the labels of assets; without any of these, their file names.
  package struct Labels: Sendable, Hashable {
    /// The path of a labels file, relative to the manifest.
    package var file: String?
    /// The SHA-256 that the file has to have, hexadecimal; nil where the manifest does not say it.
    package var fileSHA256: String?
    package var template: LabelTemplate?
    /// Whether each label is only the item's number in the run; never beside a file or a template.
    package var neutral = false
    /// Whether a person at a terminal is asked for the label of each new asset, behind the run.
    package var ask = false

    /// Whether labels have the numbers of their items.
    package var haveNumbers: Bool { neutral || template?.publishesNumber == true }
  }

  /// Who answers for what is done with what is imported; nil for what the manifest does not say.
  package struct Controller: Sendable, Hashable {
    package var name: String?
    /// An address, a telephone number, a page; as it is written.
    package var contact: String?
  }

  /// Counts up with each signed version; 0 for a manifest that does not say it.
  package var serial = 0
  /// Who signs the manifest, as `allowed_signers` knows them.
  package var signedBy: String?
  /// When it was signed, in the signer's words.
  package var signedAt: String?
  package var client: Client
  package var controller = Controller()
  /// The address of the privacy notice, as it is written; nothing is fetched.
  package var privacyNotice: String?
  /// Whose law applies, as it is written, such as `DE`, `US-CA` or `EU`.
  package var jurisdiction: String?
  /// The usage descriptions as written; deciding finds those that are missing or say nothing.
  package var usageDescriptions: [UsageDescriptionKey: UsageDescription] = [:]
  /// The positions of the keys of the usage descriptions; none for one that an
  /// Info.plist brought.
  package var usageDescriptionPositions: [UsageDescriptionKey: TextPosition] = [:]
  /// The path of an app's Info.plist, relative to the manifest; see ``merging(_:)``.
  package var infoPlist: String?
  /// The SHA-256 that the Info.plist has to have, hexadecimal; nil where the manifest does not say it.
  package var infoPlistSHA256: String?
  /// Whether a limited run keeps quiet about its selection.
  ///
  /// Source: PHPhotoLibraryPreventAutomaticLimitedAccessAlert.
  package var preventsAutomaticLimitedAccessAlert = false
  /// The position of that key; nil when the manifest does not have it.
  package var limitedAccessAlertPosition: TextPosition?
  package var sources = DeclaredSources()
  package var onNotDetermined: NotDeterminedPolicy = .ask
  package var onMicrophoneRefused: MicrophoneRefusalPolicy = .refuse
  package var enforcement: Enforcement = .kernel
  /// The default for sources without a policy of their own.
  package var metadata: MetadataPolicy = .strip
  /// At most 16, sorted by name.
  package var thumbnails: [ThumbnailSpec] = []
  package var limits = ItemLimits()
  /// Whether a damaged picture is imported with thumbnails of what its decoder could show.
  package var acceptsDamaged = false
  package var rawUnderStrip: RawUnderStrip = .refuse
  package var onSourceChanged: ChangedSourcePolicy = .add
  /// How much the log says of what was removed from a file.
  package var receipts: ReceiptDetail = .classes
  package var labels = Labels()
  /// Whether each folder of a source is an album.
  package var albumsFromFolders = false
  /// Whether the albums that a source has are stored; nil for under `keep` alone.
  package var albumsFromSource: Bool?
  package var dates = DateRules()
  /// The path of a file of names of places, relative to the manifest.
  package var placeData: String?
  /// The SHA-256 that the file of names of places has to have, hexadecimal; nil where the manifest does not say it.
  package var placeDataSHA256: String?
  /// Whether facts that stripping takes from files are stored beside the catalogue.
  package var storesPrivateFacts = false
  /// The library's path, relative to the manifest.
  package var output: String
  /// The position of the library's path in the manifest.
  package var outputPosition: TextPosition = .start

  /// The metadata policy of one source: its own replaces the manifest's, it is never merged.
  package func metadataPolicy(of source: SourceID) -> MetadataPolicy {
    sources[source]?.metadata ?? metadata
  }

  /// What is imported of a source. Unless the manifest says it, hidden assets are not where the source itself says what
  /// is hidden: of a Photos library, as in PhotoKit, and of an export of Google Photos or iCloud Photos under `strip`,
  /// since nothing would tell later that they are.
  package func fetchOptions(of source: SourceID) -> FetchOptions {
    guard let declaration = sources[source] else { return FetchOptions() }
    var options = declaration.fetch
    let layout = declaration.layout
    let leavesOutHidden =
      layout.hidesItems
      && (layout.leavesOutHidden || metadataPolicy(of: source).word == .strip)
    options.includesHiddenAssets = declaration.includesHiddenAssets ?? !leavesOutHidden
    return options
  }

  /// Whether the albums of a source that has some are stored: under `strip` their titles would tell what the
  /// policy takes from files.
  package func storesAlbums(of source: SourceID) -> Bool {
    guard sources[source]?.layout.hasAlbums == true else { return false }
    return albumsFromSource ?? (metadataPolicy(of: source) == .keep)
  }

  /// Whether what is imported from a camera is added to the photo library.
  package var addsToPhotoLibrary: Bool { sources.values.contains(where: \.savesToPhotoLibrary) }

  /// The photo library that is added to, the only one of a manifest that adds to one; nil when it adds to none.
  package var libraryAddedTo: SourceID? {
    addsToPhotoLibrary ? sources.of(.library).first?.key ?? .library : nil
  }

  /// Whether the photo library is declared to be added to and not to be read: its status names
  /// `addOnly`, and decides nothing about reading.
  package var onlyAddsToPhotoLibrary: Bool {
    guard let library = libraryAddedTo.flatMap({ sources[$0] }) else { return false }
    return library.addOnlyStatus != nil && library.authorizationStatus == .notDetermined
      && library.pick == nil
  }
}

/// The action of a run about a source without a decision.
package enum NotDeterminedPolicy: String, CaseIterable, Sendable, Hashable {
  case ask
  case fail
  case deny
}

/// The treatment of an item that has sound when the microphone is refused.
package enum MicrophoneRefusalPolicy: String, CaseIterable, Sendable, Hashable {
  /// The item is refused.
  case refuse
  /// A live photo gives its still; a video is refused.
  case stillOnly
  /// A video's sound tracks are taken out, its pictures stay as they are.
  case mute
}

/// The kind of media that is taken from the camera's folder; each has what the one before it has.
///
/// Source: the words are those of UIImagePickerController.CameraCaptureMode and AVCapturePhotoSettings, whose modes
/// exclude each other; a phone's card has what both have taken.
package enum CaptureMode: String, CaseIterable, Sendable, Hashable {
  /// A live photo gives its still.
  case photo
  /// A live photo is whole, and no other video is taken.
  case photoAndLivePhoto
  /// A live photo is whole.
  case photoAndVideo

  /// Whether its items have sound, so that the microphone is needed too.
  package var needsSound: Bool { self != .photo }
}

/// The treatment of a file with more than one name while another source is closed.
package enum HardLinkPolicy: String, CaseIterable, Sendable, Hashable {
  case refuse
  case allow
}

/// Recognizes text without a visible character.
enum Blank {
  /// The braille pattern without dots, which is shown as a space though it is a symbol.
  private static let emptyBraille: Unicode.Scalar = "\u{2800}"

  /// Source: Unicode Standard Annex #44, White_Space and Default_Ignorable_Code_Point: fillers and
  /// joiners among them are letters and marks that show nothing.
  static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        || scalar == emptyBraille || !EscapedText.isPrintable(scalar)
    }
  }
}
