import * as z from 'zod'

/** Where the rows of a benchmark came from: its pinned data set, our invented sample, an operator's own files, or a task that its owner uploaded. */
export const dataSources = ['pinned', 'sample', 'override', 'upload'] as const
export const DataSource = z.enum(dataSources)
export type DataSource = z.infer<typeof DataSource>

/** What a run is marked with, so that nobody takes it for one on the pinned data set with a model that was asked. */
export const RunMark = z.enum(['demo', 'replay', 'regrade', 'imported', 'sample', 'override', 'upload', 'chosen'])
export type RunMark = z.infer<typeof RunMark>
