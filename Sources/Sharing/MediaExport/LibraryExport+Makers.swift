internal import MediaLibrary
internal import MediaModel

extension LibraryExport {
  /// What makes files that the library does not have, by confined workers.
  struct Makers {
    private let folder: ExportFolder
    private let pictures: PictureConversion?
    private let films: FilmConversion?
    private let embedding: FactEmbedding?
    /// Nil where no thumbnail is to be made.
    let thumbnails: ThumbnailMaking?

    /// - Parameters:
    ///   - options: The choices of the person.
    ///   - folder: Where the files are written.
    ///   - workers: The workers, or the reason that there are none; nil to make nothing.
    ///   - work: Takes the files.
    init(
      _ options: ExportOptions,
      _ folder: ExportFolder,
      _ workers: Result<ExportWorkers, ExportError>?,
      _ work: ExportWork
    ) {
      thumbnails = workers.map {
        ThumbnailMaking(in: folder, $0, keeps: work.keeps, finish: work.take)
      }
      let workers = try? workers?.get()
      self.folder = folder
      pictures = options.jpegQuality.flatMap { quality in
        workers.map { PictureConversion(in: folder, $0, quality: quality, finish: work.take) }
      }
      let embedding = workers.map { FactEmbedding(in: folder, $0, finish: work.take) }
      films = options.filmHeight.flatMap { height in
        workers.map {
          FilmConversion(in: folder, $0, height: height) { film, problem in
            guard film.written == nil, let copy = film.turned, let embedding else {
              return try work.take(film, problem)
            }
            if let problem { work.notConverted(copy.path, problem) }
            try Self.embed(copy, by: embedding, folder, work)
          }
        }
      }
      self.embedding = embedding
    }

    /// Begins to make a file, unless an earlier command has made it in the same way.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - source: The library's own.
    ///   - asset: The asset that has it.
    ///   - path: Its place in the folder.
    ///   - originalPath: The place of the library's own file, if it is not converted; nil for one that is not to be.
    ///   - work: Takes over what is there.
    /// - Returns: Whether it is one that is made.
    /// - Throws: ``ExportError``, and the errors of the functions that take the files.
    func take(
      _ file: File,
      _ source: ExportFolder.Source,
      of asset: ListedAsset,
      at path: [UInt8],
      orAt originalPath: [UInt8]?,
      _ work: ExportWork
    ) throws -> Bool {
      let purpose = asset.workerPurpose
      if file.isFilm, let films, let originalPath {
        try films.convert(source, of: asset, at: path, orAt: originalPath, unlessKept: work.keeps)
      } else if let pictures, let originalPath {
        let picture = PictureConversion.Picture(
          source,
          for: purpose,
          at: path,
          orAt: originalPath,
          quality: pictures.quality,
          facts: file.facts
        )
        if try !work.keeps(picture.recipe, at: path) {
          try pictures.convert(picture)
        } else if file.facts?.place != nil {
          folder.countPlace()
        }
      } else if let facts = file.facts, let embedding {
        let copy = FactEmbedding.Copy(
          of: source,
          for: purpose,
          at: path,
          with: facts,
          givesPlace: file.givesPlace,
          isSidecar: file.isSidecar
        )
        try Self.embed(copy, by: embedding, folder, work)
      } else {
        return false
      }
      return true
    }

    /// Begins to write facts into a copy, unless an earlier command has done it in the same way.
    private static func embed(
      _ copy: FactEmbedding.Copy,
      by embedding: FactEmbedding,
      _ folder: ExportFolder,
      _ work: ExportWork
    ) throws {
      if try !work.keeps(copy.recipe, at: copy.path) {
        try embedding.embed(copy)
      } else if copy.statesPlace {
        folder.countPlace()
      }
    }

    /// Waits for all files that were begun.
    ///
    /// - Throws: As ``take(_:_:of:at:orAt:_:)``.
    func finishAll() throws {
      try pictures?.finishAll()
      try films?.finishAll()
      try embedding?.finishAll()
      try thumbnails?.finishAll()
    }
  }
}
