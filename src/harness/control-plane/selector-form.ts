import {text} from '../input/form.ts';
import {may, must} from '../input/map-form.ts';

/** An object by kind and name, or by kind and composed resource name. */
export const selectorFields = {
  apiVersion: may(text, 'Of what is meant; any unless set.'),
  namespace: may(text, 'The namespace of the object.'),
  name: may(text, 'The name of the object.'),
  resource: may(text, 'The name of a composed resource in the pipeline.'),
  kind: must(text, 'The kind, such as VPC.'),
};
