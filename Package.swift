// swift-tools-version:6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The two programs have Swift's libraries inside; the tests, which are built from the same objects, cannot, since Swift
/// Testing comes as a shared library. The names are what Foundation needs and those objects do not name.
let programSettings: [LinkerSetting] = [
  .unsafeFlags([
    "-static-stdlib", "-l_FoundationICU", "-l_FoundationCollections", "-l_FoundationCShims",
    "-lCoreFoundation", "-lswiftSynchronization",
  ])
]

/// "make test" optimizes programs and modules, and not the tests, which would take four times as long to
/// compile. SwiftPM finds what they have in the compiler's index by their paths as they are, so that the mapping of
/// scripts/swift-flags.sh is none for them.
let testSettings =
  strict + [
    .unsafeFlags([
      "-Xfrontend", "-Onone",
      "-file-prefix-map", "\(Context.packageDirectory)=\(Context.packageDirectory)",
    ])
  ]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser",
  package: "swift-argument-parser"
)

/// One folder, one target, one idea: what a module may use is what it lists here.
func module(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    swiftSettings: strict
  )
}

/// A module whose folder Web has files for browsers.
///
/// The C module "files" embeds them. A new file is named in its header, in its C file and in Swift.
func pages(_ name: String, files: String, uses dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: [.target(name: files)] + dependencies,
    exclude: ["Web"],
    swiftSettings: strict
  )
}

/// The C module of files for browsers: #embed is of C23.
func files(_ name: String) -> Target {
  .target(name: name, cSettings: [.unsafeFlags(["-std=c23"])])
}

func tests(
  of name: String,
  uses dependencies: [Target.Dependency] = [],
  data: [String] = []
) -> Target {
  let modules = Set([name, "MediaModel", "MediaTestSupport"]).sorted()
  return .testTarget(
    name: "\(name)Tests",
    dependencies: modules.map { .target(name: $0) } + dependencies,
    exclude: data,
    swiftSettings: testSettings
  )
}

let package = Package(
  name: "mediabatch",
  products: [
    .executable(name: "mediabatch", targets: ["mediabatch"]),
    .executable(name: "mediabatch-worker", targets: ["mediabatch-worker"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // No target names these: swift-nio brings them, and they are here for their exact versions.
    .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
  ],
  targets: [
    // The two programs.
    .executableTarget(
      name: "mediabatch",
      dependencies: [
        argumentParser, "MediaAudit", "MediaBrowsing", "MediaCameras", "MediaCatalogue",
        "MediaConsent", "MediaDates", "MediaExport",
        "MediaFileSystem", "MediaGallery", "MediaInspection", "MediaLibrary", "MediaListing",
        "MediaMaintenance", "MediaManifest", "MediaModel",
        "MediaPermissions",
        "MediaPhotosLibrary",
        "MediaPicking", "MediaPipeline", "MediaPredicate", "MediaPublishing", "MediaReports",
        "MediaSandbox",
        "MediaSetup", "MediaSharding",
        "MediaSyntax", "MediaVerification", "MediaWatch", "MediaWeb", "MediaWorkerProtocol",
      ],
      swiftSettings: strict,
      linkerSettings: programSettings
    ),
    .executableTarget(
      name: "mediabatch-worker",
      dependencies: ["MediaModel", "MediaSandbox", "MediaWorker"],
      swiftSettings: strict,
      linkerSettings: programSettings
    ),

    // The page in a browser, which a process of its own shows.
    pages(
      "MediaWeb",
      files: "CWeb",
      uses: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        "MediaModel", "MediaPages", "MediaPicking", "MediaSandbox", "MediaSyntax",
        "MediaWorkerProtocol",
      ]
    ),

    // The coordinator's modules. None of them links a decoder.
    module(
      "MediaPipeline",
      uses: [
        "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaConsent", "MediaDates",
        "MediaDigest", "MediaFileSystem",
        "MediaLibrary", "MediaListing", "MediaManifest", "MediaModel", "MediaPermissions",
        "MediaPicking", "MediaPredicate", "MediaPublishing", "MediaSandbox", "MediaSaving",
        "MediaSources", "MediaVerification", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaPublishing",
      uses: [
        "MediaAudit", "MediaCatalogue", "MediaDigest", "MediaFileSystem", "MediaLibrary",
        "MediaListing",
        "MediaManifest", "MediaModel", "MediaPermissions", "MediaPredicate", "MediaSandbox",
        "MediaSaving", "MediaSources", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaSources",
      uses: [
        grdb, "MediaAudit", "MediaBrowsing", "MediaCameras", "MediaCatalogue", "MediaDigest",
        "MediaFileSystem", "MediaLibrary",
        "MediaListing", "MediaManifest", "MediaModel", "MediaPermissions", "MediaPhotosLibrary",
        "MediaPredicate", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaListing",
      uses: ["MediaDigest", "MediaFileSystem", "MediaModel", "MediaPredicate"]
    ),
    module(
      "MediaPhotosLibrary",
      uses: [
        grdb, "MediaFileSystem", "MediaListing", "MediaManifest", "MediaModel", "MediaSandbox",
        "MediaSyntax", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaSharding",
      uses: [
        grdb, "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaDigest", "MediaFileSystem",
        "MediaLibrary", "MediaListing",
        "MediaManifest", "MediaModel", "MediaPermissions", "MediaPipeline", "MediaPublishing",
        "MediaSandbox",
        "MediaSyntax",
      ]
    ),
    module(
      "MediaWorkerPool",
      uses: ["MediaFileSystem", "MediaModel", "MediaSandbox", "MediaWorkerProtocol"]
    ),
    module(
      "MediaCameras",
      uses: ["CGPhoto", "MediaFileSystem", "MediaModel", "MediaSandbox", "MediaWorkerProtocol"]
    ),
    module(
      "MediaMaintenance",
      uses: [
        grdb, "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaFileSystem", "MediaLibrary",
        "MediaModel", "MediaPipeline",
        "MediaPublishing",
        "MediaSandbox", "MediaSources", "MediaVerification", "MediaWorkerPool",
        "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaInspection",
      uses: [
        "MediaFileSystem", "MediaModel", "MediaPipeline", "MediaSandbox", "MediaWorkerPool",
        "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaSetup",
      uses: [
        "MediaBrowsing", "MediaCatalogue", "MediaFileSystem", "MediaLibrary", "MediaManifest",
        "MediaModel", "MediaPipeline",
        "MediaSandbox", "MediaSyntax",
      ]
    ),
    module(
      "MediaWatch",
      uses: [
        "MediaCatalogue", "MediaFileSystem", "MediaLibrary", "MediaManifest", "MediaModel",
        "MediaPipeline",
        "MediaPublishing",
        "MediaSandbox", "MediaSyntax", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    pages(
      "MediaReports",
      files: "CReports",
      uses: [
        grdb, "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaDigest", "MediaLibrary",
        "MediaModel", "MediaPages",
        "MediaSyntax",
        "MediaVerification",
      ]
    ),
    pages("MediaGallery", files: "CGallery", uses: ["MediaModel", "MediaPages", "MediaSyntax"]),
    module(
      "MediaExport",
      uses: [
        "MediaBrowsing", "MediaCatalogue", "MediaDigest", "MediaFileSystem", "MediaGallery",
        "MediaLibrary", "MediaModel",
        "MediaPredicate", "MediaSandbox", "MediaSyntax", "MediaWorkerPool",
        "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaVerification",
      uses: [
        "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaDates", "MediaDigest",
        "MediaFileSystem", "MediaLibrary", "MediaModel",
        "MediaSyntax",
        "MediaTimestamps",
      ]
    ),
    module("MediaTimestamps", uses: ["CTimestamp"]),
    module(
      "MediaConsent",
      uses: [
        "MediaCameras", "MediaFileSystem", "MediaModel", "MediaPermissions", "MediaPhotosLibrary",
        "MediaPicking",
        "MediaSandbox", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaPermissions",
      uses: [
        grdb, "MediaAudit", "MediaDigest", "MediaFileSystem", "MediaManifest", "MediaModel",
        "MediaSyntax",
      ]
    ),
    module(
      "MediaDates",
      uses: [
        grdb, "MediaBrowsing", "MediaCatalogue", "MediaDigest", "MediaLibrary", "MediaManifest",
        "MediaModel", "MediaPredicate",
      ]
    ),
    module("MediaManifest", uses: ["MediaModel", "MediaPredicate", "MediaSyntax"]),
    module(
      "MediaLibrary",
      uses: [
        grdb, "MediaCatalogue", "MediaDigest", "MediaFileSystem", "MediaModel", "MediaPredicate",
        "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaBrowsing",
      uses: [
        grdb, "MediaCatalogue", "MediaFileSystem", "MediaLibrary", "MediaModel", "MediaPredicate",
      ]
    ),
    module(
      "MediaCatalogue",
      uses: [grdb, "CSQLite", "MediaDigest", "MediaFileSystem", "MediaModel"]
    ),
    module(
      "MediaSaving",
      uses: ["MediaAudit", "MediaFileSystem", "MediaLibrary", "MediaModel"]
    ),
    module("MediaPredicate", uses: ["MediaModel", "MediaSyntax"]),
    module(
      "MediaAudit",
      uses: ["CHogweed", "MediaDigest", "MediaFileSystem", "MediaModel", "MediaSyntax"]
    ),

    // The worker's modules.
    module(
      "MediaWorker",
      uses: [
        "MediaCodecs", "MediaContainers", "MediaDigest", "MediaEmbedding", "MediaImaging",
        "MediaMetadata", "MediaModel", "MediaSandbox", "MediaStripping", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaEmbedding",
      uses: ["MediaContainers", "MediaEditing", "MediaMetadata", "MediaModel"]
    ),
    module(
      "MediaStripping",
      uses: [
        "MediaCodecs", "MediaCodestreamStripping", "MediaContainers", "MediaEditing",
        "MediaMetadata", "MediaModel", "MediaStreamStripping",
      ]
    ),
    module(
      "MediaCodestreamStripping",
      uses: ["MediaCodecs", "MediaContainers", "MediaEditing", "MediaMetadata", "MediaModel"]
    ),
    module(
      "MediaStreamStripping",
      uses: ["MediaCodecs", "MediaContainers", "MediaEditing", "MediaMetadata", "MediaModel"]
    ),
    module("MediaEditing", uses: ["MediaContainers", "MediaMetadata", "MediaModel"]),
    module(
      "MediaMetadata",
      uses: [
        "CExif", "MediaCodecs", "MediaContainers", "MediaDigest", "MediaModel", "MediaSyntax",
      ]
    ),
    module("MediaCodecs", uses: ["MediaContainers", "MediaDeflate", "MediaModel"]),
    module("MediaContainers", uses: ["CZlib", "MediaDeflate", "MediaModel"]),
    module(
      "MediaImaging",
      uses: [
        "CAV", "CHEIF", "CJXL", "CLCMS2", "CMagickWand", "CRaw", "CTIFF", "CTurboJPEG", "CWebP",
        "CZimg",
        "MediaCodecs", "MediaDeflate", "MediaModel",
      ]
    ),
    module("MediaDeflate", uses: ["CDeflate"]),
    module("MediaDigest", uses: ["CNettle"]),

    // What several programs use.
    pages("MediaPages", files: "CPages", uses: []),
    module(
      "MediaPicking",
      uses: ["MediaFileSystem", "MediaModel", "MediaWorkerProtocol"]
    ),
    module("MediaWorkerProtocol", uses: ["MediaModel"]),
    module("MediaSandbox", uses: ["CSandbox", "MediaModel", "MediaWorkerProtocol"]),
    module("MediaFileSystem", uses: ["CFileSystem", "MediaModel"]),
    module("MediaSyntax", uses: ["MediaModel"]),
    module("MediaModel", uses: []),

    // What tests use.
    .target(
      name: "MediaTestSupport",
      path: "Tests/Support/MediaTestSupport",
      swiftSettings: strict
    ),
    .target(
      name: "MediaLibraryTestSupport",
      dependencies: [
        "MediaCatalogue", "MediaDigest", "MediaFileSystem", "MediaLibrary", "MediaModel",
        "MediaTestSupport",
      ],
      path: "Tests/Support/MediaLibraryTestSupport",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "sandbox-probe",
      dependencies: ["COldKernel", "MediaModel", "MediaSandbox"],
      path: "Tests/Programs/sandbox-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "consent-probe",
      dependencies: [
        "MediaConsent", "MediaFileSystem", "MediaManifest", "MediaModel", "MediaPermissions",
        "MediaPicking", "MediaSandbox", "MediaWeb", "MediaWorkerProtocol",
      ],
      path: "Tests/Programs/consent-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "camera-probe",
      dependencies: ["MediaCameras", "MediaFileSystem", "MediaModel", "MediaSandbox"],
      path: "Tests/Programs/camera-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "file-probe",
      dependencies: [
        "MediaCatalogue", "MediaCodecs", "MediaContainers", "MediaDigest", "MediaFileSystem",
        "MediaImaging", "MediaLibrary", "MediaMetadata", "MediaModel", "MediaStripping",
      ],
      path: "Tests/Programs/file-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "lying-worker",
      dependencies: ["MediaDigest", "MediaModel", "MediaSandbox", "MediaWorkerProtocol"],
      path: "Tests/Programs/lying-worker",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "metadata-fuzzer",
      dependencies: [
        "MediaCodecs", "MediaContainers", "MediaDigest", "MediaEmbedding", "MediaExport",
        "MediaListing", "MediaMetadata",
        "MediaModel", "MediaPhotosLibrary", "MediaSharding", "MediaStripping", "MediaSyntax",
        "MediaWorkerProtocol",
      ],
      path: "Tests/Programs/metadata-fuzzer",
      swiftSettings: strict
    ),
    tests(of: "MediaAudit", uses: ["MediaSyntax"]),
    tests(
      of: "MediaCameras",
      uses: ["MediaFileSystem", "MediaSandbox", "MediaWorkerProtocol", "camera-probe"],
      data: ["Fixtures"]
    ),
    tests(
      of: "MediaConsent",
      uses: [
        "MediaCameras", "MediaFileSystem", "MediaManifest", "MediaPermissions",
        "MediaPhotosLibrary", "MediaPicking", "MediaSandbox", "MediaWorkerProtocol",
        "consent-probe",
      ]
    ),
    tests(of: "MediaDigest"),
    tests(of: "MediaFileSystem"),
    tests(of: "MediaImaging", uses: ["MediaCodecs", "MediaContainers"]),
    tests(
      of: "MediaExport",
      uses: [
        "MediaBrowsing", "MediaDigest", "MediaFileSystem", "MediaGallery", "MediaLibrary",
        "MediaLibraryTestSupport",
      ]
    ),
    tests(of: "MediaGallery"),
    tests(of: "MediaInspection", uses: ["MediaWorkerProtocol"]),
    tests(
      of: "MediaLibrary",
      uses: [
        grdb, "MediaBrowsing", "MediaCatalogue", "MediaFileSystem", "MediaLibraryTestSupport",
        "MediaPredicate",
      ]
    ),
    tests(of: "MediaListing", uses: ["MediaFileSystem", "MediaPredicate"]),
    tests(
      of: "MediaMaintenance",
      uses: [
        "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaFileSystem", "MediaLibrary",
        "MediaLibraryTestSupport", "MediaPipeline",
        "MediaPublishing", "MediaReports", "MediaVerification",
      ]
    ),
    tests(of: "MediaManifest", uses: ["MediaSyntax"], data: ["Cases"]),
    tests(
      of: "MediaMetadata",
      uses: [
        "MediaCodecs", "MediaCodestreamStripping", "MediaContainers", "MediaDeflate",
        "MediaEditing", "MediaEmbedding", "MediaStreamStripping", "MediaStripping",
      ]
    ),
    tests(of: "MediaModel"),
    tests(of: "MediaPermissions", uses: ["MediaManifest", "MediaSyntax"]),
    tests(
      of: "MediaPhotosLibrary",
      uses: [
        "MediaFileSystem", "MediaListing", "MediaManifest", "MediaSandbox", "MediaWorkerProtocol",
      ]
    ),
    tests(
      of: "MediaPipeline",
      uses: [
        "MediaAudit", "MediaCatalogue", "MediaDigest", "MediaFileSystem", "MediaLibrary",
        "MediaLibraryTestSupport", "MediaListing", "MediaManifest", "MediaPredicate",
        "MediaPublishing",
        "MediaSandbox", "MediaSources", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    tests(of: "MediaPredicate", uses: [grdb]),
    tests(of: "MediaReports", uses: ["MediaAudit", "MediaSyntax"], data: ["Snapshots"]),
    tests(of: "MediaSandbox", uses: ["MediaWorkerProtocol", "sandbox-probe"]),
    tests(of: "MediaSaving", uses: ["MediaFileSystem"]),
    tests(of: "MediaSetup", uses: ["MediaFileSystem", "MediaSandbox"]),
    tests(of: "MediaSyntax"),
    tests(of: "MediaTimestamps"),
    tests(
      of: "MediaVerification",
      uses: [
        "MediaAudit", "MediaBrowsing", "MediaCatalogue", "MediaFileSystem", "MediaLibrary",
        "MediaLibraryTestSupport",
      ]
    ),
    tests(
      of: "MediaSharding",
      uses: ["MediaDigest", "MediaListing", "MediaPipeline", "MediaPublishing"]
    ),
    tests(of: "MediaWatch", uses: ["MediaSyntax", "MediaWorkerProtocol"]),
    tests(of: "MediaWeb", uses: ["MediaManifest", "MediaPicking", "MediaWorkerProtocol"]),
    tests(
      of: "MediaWorkerPool",
      uses: ["MediaFileSystem", "MediaSandbox", "MediaWorkerProtocol"]
    ),
    tests(of: "MediaWorkerProtocol"),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "MediaCatalogue", "MediaFileSystem", "MediaLibrary", "MediaModel", "MediaPermissions",
        "MediaSyntax", "MediaTestSupport", "MediaVerification",
      ],
      exclude: ["Fixtures"],
      swiftSettings: testSettings
    ),

    // C: one module a library, each imported by one other.
    // What scripts/link-programs.py links into the programs of tests.
    .target(
      name: "CCameraOnLoopback",
      dependencies: ["CSandbox"],
      path: "Tests/Programs/CCameraOnLoopback"
    ),
    // Used by sandbox-probe alone.
    .target(name: "COldKernel", dependencies: ["CSandbox"], path: "Tests/Programs/COldKernel"),
    .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
    .target(name: "CFileSystem"),
    // Loaded at the first file that needs them: see docs/decisions/0006.
    .target(name: "CAV"),
    .target(name: "CGPhoto"),
    .target(name: "CHEIF"),
    .target(name: "CJXL"),
    .target(name: "CRaw"),
    .target(name: "CTimestamp"),
    // Each embeds the folder Web of the module that imports it.
    files("CGallery"),
    files("CPages"),
    files("CReports"),
    files("CWeb"),
    .systemLibrary(
      name: "CDeflate",
      pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"])]
    ),
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CHogweed", pkgConfig: "hogweed", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CLCMS2", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(
      name: "CMagickWand",
      pkgConfig: "MagickWand",
      providers: [.apt(["libmagickwand-dev"])]
    ),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG",
      pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]
    ),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CZimg", pkgConfig: "zimg", providers: [.apt(["libzimg-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  ]
)

// scripts/build.sh builds all targets at once: without those of the tests the two programs are all there is.
if Context.environment["MEDIABATCH_BUILD"] == "release" {
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
