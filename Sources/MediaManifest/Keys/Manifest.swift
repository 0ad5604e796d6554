package import MediaModel
package import MediaSyntax

/// What a person promised about one import: who asks, why, from where, and what becomes of it.
package struct Manifest: Sendable, Hashable {
  /// Who asks for access.
  package struct Client: Sendable, Hashable {
    /// 1 to 155 of `A-Z a-z 0-9 . -`.
    package var identifier: String
    /// 1 to 255 characters, not blank; the identifier when the manifest has none.
    package var name: String

    package init(identifier: String, name: String) {
      self.identifier = identifier
      self.name = name
    }
  }

  /// Where the label of an asset comes from; without any of these, from its file name.
  package struct Labels: Sendable, Hashable {
    /// The path of a labels file, relative to the manifest.
    package var file: String?
    package var template: LabelTemplate?
    /// Whether each label is only the item's number in the run; never beside a file or a template.
    package var neutral: Bool

    package init(file: String? = nil, template: LabelTemplate? = nil, neutral: Bool = false) {
      self.file = file
      self.template = template
      self.neutral = neutral
    }
  }

  package var client: Client
  /// As written; whether one is missing or says nothing is for deciding.
  package var usageDescriptions: [UsageDescriptionKey: UsageDescription]
  /// Where the key of each usage description stands in the manifest; none for one that an
  /// Info.plist brought.
  package var usageDescriptionPositions: [UsageDescriptionKey: TextPosition]
  /// The path of an app's Info.plist, relative to the manifest; see ``merging(_:)``.
  package var infoPlist: String?
  /// Whether a limited run keeps quiet about its selection.
  ///
  /// Source: PHPhotoLibraryPreventAutomaticLimitedAccessAlert.
  package var preventsAutomaticLimitedAccessAlert: Bool
  /// Where the manifest says so; nil when it does not.
  package var limitedAccessAlertPosition: TextPosition?
  package var sources: [SourceKind: SourceDeclaration]
  package var onNotDetermined: NotDeterminedPolicy
  package var onMicrophoneRefused: MicrophoneRefusalPolicy
  package var enforcement: Enforcement
  /// For the sources that do not say otherwise.
  package var metadata: MetadataPolicy
  /// At most 16, sorted by name.
  package var thumbnails: [ThumbnailSpec]
  package var limits: ItemLimits
  /// Whether a damaged picture is imported with thumbnails of what its decoder could show.
  package var acceptsDamaged: Bool
  package var labels: Labels
  /// The library's path, relative to the manifest.
  package var output: String
  /// Where the library's path stands in the manifest.
  package var outputPosition: TextPosition

  package init(
    client: Client,
    usageDescriptions: [UsageDescriptionKey: UsageDescription] = [:],
    usageDescriptionPositions: [UsageDescriptionKey: TextPosition] = [:],
    infoPlist: String? = nil,
    preventsAutomaticLimitedAccessAlert: Bool = false,
    limitedAccessAlertPosition: TextPosition? = nil,
    sources: [SourceKind: SourceDeclaration] = [:],
    onNotDetermined: NotDeterminedPolicy = .ask,
    onMicrophoneRefused: MicrophoneRefusalPolicy = .refuse,
    enforcement: Enforcement = .kernel,
    metadata: MetadataPolicy = .strip,
    thumbnails: [ThumbnailSpec] = [],
    limits: ItemLimits = ItemLimits(),
    acceptsDamaged: Bool = false,
    labels: Labels = Labels(),
    output: String,
    outputPosition: TextPosition = .start
  ) {
    self.client = client
    self.usageDescriptions = usageDescriptions
    self.usageDescriptionPositions = usageDescriptionPositions
    self.infoPlist = infoPlist
    self.preventsAutomaticLimitedAccessAlert = preventsAutomaticLimitedAccessAlert
    self.limitedAccessAlertPosition = limitedAccessAlertPosition
    self.sources = sources
    self.onNotDetermined = onNotDetermined
    self.onMicrophoneRefused = onMicrophoneRefused
    self.enforcement = enforcement
    self.metadata = metadata
    self.thumbnails = thumbnails
    self.limits = limits
    self.acceptsDamaged = acceptsDamaged
    self.labels = labels
    self.output = output
    self.outputPosition = outputPosition
  }

  /// The metadata policy of one source: its own replaces the manifest's, it is never merged.
  package func metadataPolicy(of source: SourceKind) -> MetadataPolicy {
    sources[source]?.metadata ?? metadata
  }
}

/// The value under a usage description's key, whatever it is.
package enum UsageDescription: Sendable, Hashable {
  case text(String)
  case notAString

  /// Whether it tells a person nothing: no character in it can be seen, or it is no text at all.
  package var saysNothing: Bool {
    switch self {
    case .text(let text): Blank.isBlank(text)
    case .notAString: true
    }
  }
}

/// What a run does about a source that nobody has decided on.
package enum NotDeterminedPolicy: String, CaseIterable, Sendable, Hashable {
  case ask
  case fail
  case deny
}

/// What becomes of an item that has sound when the microphone is refused.
package enum MicrophoneRefusalPolicy: String, CaseIterable, Sendable, Hashable {
  /// The item is refused.
  case refuse
  /// A live photo gives its still; a video is refused.
  case stillOnly
  /// A video's sound tracks are taken out, its pictures stay as they are.
  case mute
}

/// What the camera's folder is taken for; the three do not combine.
///
/// Source: UIImagePickerController.CameraCaptureMode and AVCapturePhotoSettings, whose modes
/// exclude each other in the same way.
package enum CaptureMode: String, CaseIterable, Sendable, Hashable {
  /// A live photo gives its still.
  case photo
  case photoAndLivePhoto
  case photoAndVideo

  /// Whether what it brings has sound, so that the microphone is needed too.
  package var needsSound: Bool { self != .photo }
}

/// What happens to a file that has more than one name while another source is closed.
package enum HardLinkPolicy: String, CaseIterable, Sendable, Hashable {
  case refuse
  case allow
}

/// Text that shows a person nothing.
enum Blank {
  static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || !EscapedText.isPrintable(scalar)
    }
  }
}
